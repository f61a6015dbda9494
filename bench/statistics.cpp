#include "statistics.hpp"

#include <algorithm>

namespace study {

double quantile(std::vector<double> const& sorted, double q) {
  double const place = q * double(sorted.size() - 1);
  auto const below = std::size_t(place);
  auto const above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

summary summarize(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  return {int(samples.size()), quantile(samples, 0.5), quantile(samples, 0.05), quantile(samples, 0.95)};
}

}  // namespace study
