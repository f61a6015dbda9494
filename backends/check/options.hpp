// DOLMEN_CHECK: what a run looks for, and how it reports.
#pragma once

#include <cstdint>
#include <string>

#include "findings.hpp"

namespace dolmen::check {

/// From the environment, read once: DOLMEN_CHECK="seed=7,threads=2,kinds=race+out_of_bounds,abort,limit=50,json=FILE".
struct options {
  std::uint64_t seed = 1;     ///< of the order of threads and blocks
  int threads = 0;            ///< that run blocks; 0: one per core
  std::uint32_t kinds = ~0u;  ///< bit i: the kind with that number is reported
  bool abort = false;         ///< end the process at the first finding
  index_t limit = 100;        ///< findings with a text of their own; more are only counted
  std::string json;           ///< file that gets all findings when the process ends

  bool looks_for(kind k) const { return (kinds >> int(k) & 1) != 0; }
};

/// Throws invalid_argument, once, for text that it does not understand; says what there is.
DOLMEN_API options const& current_options();

}  // namespace dolmen::check
