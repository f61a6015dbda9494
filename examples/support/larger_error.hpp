// Errors of results against what is expected.
#pragma once

#include <limits>

namespace example {

/// The larger one of two errors. NaN is an infinite error, which no later one hides: std::fmax would drop it.
inline double larger_error(double worst, double error) {
  return error <= worst ? worst : error > worst ? error : std::numeric_limits<double>::infinity();
}

}  // namespace example
