// Inclusive sums: of every run of 1024 elements on its own, and of all elements.
#include <algorithm>
#include <cmath>
#include <dolmen/core/half.hpp>
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

/// Relative to the sum of magnitudes up to the element. A block's scan adds 4 elements in a thread, 32 threads by
/// shuffles and 8 warps: at most 4 + 5 + 8 + 2 roundings. A loop that adds one element after another has up to 1023
/// roundings, but of partial sums that are small against the magnitudes: for random data their errors together stay
/// below 4 roundings.
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

/// Differences of neighbours in a list of random numbers, whose sums are the list. All numbers are whole multiples of one
/// unit, few enough that sums of any neighbours are exact in T, and of any others in float: a result is right or wrong.
template <class T>
struct prefix_sums : problem<T> {
  explicit prefix_sums(index_t count) {
    this->n = this->out_size = count;
    host_array<T> data(count);
    T* const to = data.data();
#pragma omp parallel for
    for (index_t i = 0; i < count; ++i) to[i] = difference(listed(i), i > 0 ? listed(i - 1) : T{});
    this->in.push_back(std::move(data));
  }

  static T listed(index_t i) {
    if constexpr (std::is_integral_v<T>) {
      return random_value<T>(1, i);
    } else {
      constexpr int bits = sizeof(T) == 2 ? 8 : sizeof(T) == 4 ? 10 : 20;
      return T(float(std::int64_t(random_bits(1, i) >> (63 - bits)) - (std::int64_t(1) << bits)) / float(1 << bits));
    }
  }
  static T difference(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return T(std::uint64_t(a) - std::uint64_t(b));
    else
      return T(a - b);
  }

  verdict check(std::span<T const> out) const override {
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (index_t i = 0; i < this->n; ++i) worst = std::max(worst, error_ratio(double(out[std::size_t(i)]), double(listed(i)), 1.0));
    return {worst, 0};
  }
};

}  // namespace

problem_ptr block_scan_problem(index_t n) { return std::make_shared<block_scan>(n); }

template <class T>
problem_ptr prefix_sum_problem(index_t n) {
  return std::make_shared<prefix_sums<T>>(n);
}
template problem_ptr prefix_sum_problem<float>(index_t);
template problem_ptr prefix_sum_problem<double>(index_t);
template problem_ptr prefix_sum_problem<dolmen::half>(index_t);
template problem_ptr prefix_sum_problem<std::int32_t>(index_t);
template problem_ptr prefix_sum_problem<std::uint8_t>(index_t);

}  // namespace study
