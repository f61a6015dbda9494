// From the command line to the rows that will run.
#pragma once

#include "registry.hpp"
#include "usage_error.hpp"

namespace study {

struct options {
  bool all = false;
  std::string filter;  // a regular expression, matched against row_name
  std::vector<std::string> backends, types;
  std::vector<index_t> sizes;  // empty: each case's own
  double seconds = 0;          // of samples for each row; 0: as budget() says
  int repetitions = 1;         // of the whole measurement of each row

  /// The tour is what runs unless all cases, or some of them, are asked for.
  bool tour() const { return !all && filter.empty() && sizes.empty() && types.empty(); }
  double budget() const { return seconds > 0 ? seconds : tour() ? 0.1 : 0.3; }
};

/// Variants of one benchmark at one size: they are timed in turns and share memory.
struct group {
  benchmark const* of;
  index_t size;
  std::vector<int> variants;
};

/// Throws usage_error, in plain words, for an unknown backend or type, a bad regular expression, or when nothing matches.
/// Groups of one case and size follow each other, so that they can share a problem. Those of the tour are sorted by heading.
std::vector<group> select(registry const& r, options const& o);

/// "65536", "64k", "2^16" or a list of such, split at commas. Throws usage_error.
std::vector<index_t> parse_sizes(std::vector<std::string> const& texts);

}  // namespace study
