// Order statistics of timing samples.
#pragma once

#include <vector>

namespace study {

/// Seconds per run, over all samples of one row.
struct summary {
  int samples = 0;
  double median = 0, p05 = 0, p95 = 0;
  /// Half the distance from the 5th to the 95th percentile, over the median.
  double spread() const { return (p95 - p05) / 2 / median; }
};

/// The value below which the fraction q of the sorted samples lies, linear between neighbours (Hyndman and Fan, type 7).
/// Samples must not be empty.
double quantile(std::vector<double> const& sorted, double q);

summary summarize(std::vector<double> samples);

}  // namespace study
