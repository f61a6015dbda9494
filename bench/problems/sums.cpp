// Problems whose results are sums of many elements.
#include <algorithm>
#include <cmath>
#include <dolmen/dolmen.hpp>
#include <memory>
#include <tuple>
#include <utility>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

constexpr index_t chunk = 4096;

/// The exact sum and the sum of magnitudes: long double over chunks that do not depend on the threads, which keeps the
/// reference's own error far below the bounds of float and, on machines with an 80-bit type, of double.
template <class T>
std::pair<long double, long double> exact_sum(T const* data, index_t n) {
  index_t const chunks = dolmen::ceil_div(n, chunk);
  std::vector<std::pair<long double, long double>> partial(std::size_t(chunks), {0, 0});
#pragma omp parallel for
  for (index_t c = 0; c < chunks; ++c) {
    long double sum = 0, magnitude = 0;
    for (index_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) sum += data[i], magnitude += std::fabs((long double)data[i]);
    partial[std::size_t(c)] = {sum, magnitude};
  }
  std::pair<long double, long double> all{0, 0};
  for (auto const& p : partial) all.first += p.first, all.second += p.second;
  return all;
}

/// Relative to the sum of magnitudes.
template <class T, class Sum = dolmen::sum_t<T>>
struct float_sum : problem<T, Sum> {
  long double sum, magnitude;
  explicit float_sum(index_t n) {
    this->n = n;
    this->out_size = 1;
    this->in.push_back(random_array<T>(1, n));
    std::tie(sum, magnitude) = exact_sum(this->in[0].data(), n);
  }
  verdict check(std::span<Sum const> out) const override {
    return {error_ratio<long double>(out[0], sum, magnitude), tree_sum_bound<Sum>(double(this->n))};
  }
};

/// Exact.
template <class T>
struct integer_sum : problem<T, std::int64_t> {
  std::int64_t sum = 0;
  explicit integer_sum(index_t count) {
    this->n = count;
    this->out_size = 1;
    this->in.push_back(random_array<T>(1, count));
    T const* const data = this->in[0].data();
    std::int64_t s = 0;
#pragma omp parallel for reduction(+ : s)
    for (index_t i = 0; i < count; ++i) s += data[i];
    sum = s;
  }
  verdict check(std::span<std::int64_t const> out) const override {
    return {out[0] == sum ? 0 : std::max(1.0, std::fabs(double(out[0]) - double(sum))), 0};
  }
};

/// The place of the least element: exact.
template <class T>
struct least_place : problem<T, index_t> {
  index_t place;
  explicit least_place(index_t n) {
    this->n = n;
    this->out_size = 1;
    this->in.push_back(random_array<T>(1, n));
    T const* const data = this->in[0].data();
    place = std::min_element(data, data + n) - data;
  }
  verdict check(std::span<index_t const> out) const override { return {double(out[0] != place), 0}; }
};

/// Relative to the sum of the products' magnitudes.
template <class T>
struct dot_product : problem<T> {
  long double sum = 0, magnitude = 0;
  explicit dot_product(index_t n) {
    this->n = n;
    this->out_size = 1;
    for (std::uint64_t seed : {1, 2}) this->in.push_back(random_array<T>(seed, n));
    host_array<long double> products(n);
    T const *const a = this->in[0].data(), *const b = this->in[1].data();
    long double* const to = products.data();
#pragma omp parallel for
    for (index_t i = 0; i < n; ++i) to[i] = (long double)a[i] * (long double)b[i];
    std::tie(sum, magnitude) = exact_sum(to, n);
  }
  verdict check(std::span<T const> out) const override {
    return {error_ratio<long double>(out[0], sum, magnitude), tree_sum_bound<T>(double(this->n))};
  }
};

/// The sums of the rows or of the columns of a square matrix; relative to the sums of magnitudes.
template <class T, bool Rows>
struct line_sums : problem<T> {
  explicit line_sums(index_t side) {
    this->n = side;
    this->out_size = side;
    this->in.push_back(random_array<T>(1, side * side));
  }
  verdict check(std::span<T const> out) const override {
    T const* const data = this->in[0].data();
    index_t const side = this->n, step = Rows ? 1 : side, line = Rows ? side : 1;
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (index_t k = 0; k < side; ++k) {
      wide_t<T> sum = 0, magnitude = 0;
      for (index_t i = 0; i < side; ++i) {
        auto const x = wide_t<T>(data[k * line + i * step]);
        sum += x, magnitude += std::fabs(x);
      }
      worst = std::max(worst, error_ratio(wide_t<T>(out[std::size_t(k)]), sum, magnitude));
    }
    return {worst, tree_sum_bound<T>(double(side))};
  }
};

/// One sum per 256 elements, by a tree of eight levels; relative to the sum of magnitudes.
template <class T>
struct block_sums : problem<T> {
  static constexpr index_t block = 256;
  explicit block_sums(index_t n) {
    this->n = n;
    this->out_size = dolmen::ceil_div(n, block);
    this->in.push_back(random_array<T>(1, n));
  }
  verdict check(std::span<T const> out) const override {
    T const* const data = this->in[0].data();
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (index_t b = 0; b < this->out_size; ++b) {
      wide_t<T> sum = 0, magnitude = 0;
      for (index_t i = b * block; i < std::min(this->n, (b + 1) * block); ++i) sum += data[i], magnitude += std::fabs(wide_t<T>(data[i]));
      worst = std::max(worst, error_ratio(wide_t<T>(out[std::size_t(b)]), sum, magnitude));
    }
    return {worst, rounding_bound<T>(8)};
  }
};

}  // namespace

template <class T>
problem_ptr sum_problem(index_t n) {
  if constexpr (std::is_integral_v<T>)
    return std::make_shared<integer_sum<T>>(n);
  else
    return std::make_shared<float_sum<T>>(n);
}
template problem_ptr sum_problem<float>(index_t);
template problem_ptr sum_problem<double>(index_t);
template problem_ptr sum_problem<dolmen::half>(index_t);
template problem_ptr sum_problem<std::int8_t>(index_t);
template problem_ptr sum_problem<std::int32_t>(index_t);

template <class T>
problem_ptr dot_problem(index_t n) {
  return std::make_shared<dot_product<T>>(n);
}
template problem_ptr dot_problem<float>(index_t);
template problem_ptr dot_problem<double>(index_t);

problem_ptr argmin_problem(index_t n) { return std::make_shared<least_place<float>>(n); }
problem_ptr row_sums_problem(index_t side) { return std::make_shared<line_sums<float, true>>(side); }
problem_ptr column_sums_problem(index_t side) { return std::make_shared<line_sums<float, false>>(side); }

template <class T>
problem_ptr block_sum_problem(index_t n) {
  return std::make_shared<block_sums<T>>(n);
}
template problem_ptr block_sum_problem<float>(index_t);

}  // namespace study
