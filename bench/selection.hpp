// From the command line to the rows that will run.
#pragma once

#include <stdexcept>

#include "registry.hpp"

namespace study {

/// What the command line asked for that cannot be. Exit status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct options {
  std::string filter;  // a regular expression, matched against row_name
  std::vector<std::string> backends, types;
  std::vector<index_t> sizes;  // empty: each case's own
  double seconds = 0.3;        // per row
};

/// Variants of one benchmark at one size: they are timed in turns and share memory.
struct group {
  benchmark const* of;
  index_t size;
  std::vector<int> variants;
};

/// Throws usage_error, in plain words, for an unknown backend or type, a bad regular expression, or when nothing matches.
/// Groups of one case and size follow each other, so that they can share a problem.
std::vector<group> select(registry const& r, options const& o);

/// "65536", "64k", "2^16" or a list of such, split at commas. Throws usage_error.
std::vector<index_t> parse_sizes(std::vector<std::string> const& texts);

}  // namespace study
