// Inclusive sums of every run of 1024 elements on its own.
#include <algorithm>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

/// Relative to the sum of magnitudes up to the element. A block's scan adds 4 elements in a thread, 32 threads by shuffles
/// and 8 warps: at most 4 + 5 + 8 + 2 roundings. A loop that adds one element after another has up to 1023 roundings, but of
/// partial sums that are small against the magnitudes: for random data their errors together stay below 4 roundings.
struct block_scan : problem<float> {
  explicit block_scan(index_t count) {
    n = out_size = count;
    in.push_back(random_array<float>(1, n));
  }

  verdict check(std::span<float const> out) const override {
    float const* const data = in[0].data();
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (index_t first = 0; first < n; first += scan_run) {
      double sum = 0, magnitude = 0;
      for (index_t i = first; i < std::min(n, first + scan_run); ++i) {
        sum += double(data[i]), magnitude += std::fabs(double(data[i]));
        worst = std::max(worst, error_ratio(double(out[std::size_t(i)]), sum, magnitude));
      }
    }
    return {worst, rounding_bound<float>(19)};
  }
};

}  // namespace

problem_ptr block_scan_problem(index_t n) { return std::make_shared<block_scan>(n); }

}  // namespace study
