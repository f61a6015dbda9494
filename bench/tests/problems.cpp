// The references of halves, scans, counts and sparse rows: what is right passes, what is slightly wrong does not.
#include <cmath>
#include <problems/sparse.hpp>

#include <doctest/doctest.h>
#include <dolmen/core/half.hpp>

#include <algorithm>

using study::index_t;

namespace {

template <class T, class Out = T>
study::problem<T, Out> const& as(study::problem_ptr const& p) {
  return dynamic_cast<study::problem<T, Out> const&>(*p);
}

}  // namespace

TEST_CASE("products of halves, their sums in float") {
  for (index_t n : {1, 37, 520}) {
    CAPTURE(n);
    auto const holder = study::half_product_problem(n);
    auto const& p = as<dolmen::half, float>(holder);
    std::vector<float> c(std::size_t(n * n), 0.0f);
    for (index_t i = 0; i < n; ++i)
      for (index_t k = 0; k < n; ++k)
        for (index_t j = 0; j < n; ++j) c[std::size_t(i * n + j)] += float(p.in[0][i * n + k]) * float(p.in[1][k * n + j]);
    CHECK(p.check(c).ok());
    auto const middle = std::size_t((n / 2) * n + n / 3);
    float const right = c[middle];
    float largest = 0;
    for (index_t k = 0; k < n; ++k) {
      float const term = float(p.in[0][n / 2 * n + k]) * float(p.in[1][k * n + n / 3]);
      if (std::fabs(term) > std::fabs(largest)) largest = term;
    }
    c[middle] = right - largest;  // a term is missing
    CHECK_FALSE(p.check(c).ok());
    c[middle] = std::nanf("");
    CHECK_FALSE(p.check(c).ok());
    c[middle] = right;
    for (float& x : c) x = float(dolmen::half(x));  // a sum in half
    if (n > 1) CHECK_FALSE(p.check(c).ok());
  }
}

TEST_CASE("sums that are cut off instead of rounded are within their bound") {
  index_t const n = 256;
  auto const holder = study::half_product_problem(n);
  auto const& p = as<dolmen::half, float>(holder);
  std::vector<float> c(std::size_t(n * n), 0.0f);
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) {
      float sum = 0;
      for (index_t k = 0; k < n; ++k) {
        double const exact = double(sum) + double(float(p.in[0][i * n + k])) * double(float(p.in[1][k * n + j]));
        sum = float(exact);
        if (std::fabs(double(sum)) > std::fabs(exact)) sum = std::nextafter(sum, 0.0f);
      }
      c[std::size_t(i * n + j)] = sum;
    }
  auto const v = p.check(c);
  CHECK(v.ok());
  CHECK(v.max_error > 0.01 * v.bound);  // and the bound is not far off
}

TEST_CASE("a scan starts again with every run") {
  index_t const n = 2 * study::scan_run + 100;
  auto const holder = study::block_scan_problem(n);
  auto const& p = as<float>(holder);
  std::vector<float> out(std::size_t(n), 0.0f);
  float sum = 0;
  for (index_t i = 0; i < n; ++i) {
    sum = i % study::scan_run == 0 ? p.in[0][i] : sum + p.in[0][i];
    out[std::size_t(i)] = sum;
  }
  CHECK(p.check(out).ok());
  auto const right = out;
  out[std::size_t(study::scan_run)] += out[std::size_t(study::scan_run - 1)];  // the run before went on
  CHECK_FALSE(p.check(out).ok());
  out = right;
  out.back() = out[out.size() - 2];  // exclusive
  CHECK_FALSE(p.check(out).ok());
}

TEST_CASE("counts are exact") {
  index_t const n = 100'003;
  auto const holder = study::histogram_problem(n);
  auto const& p = as<std::uint8_t, std::uint32_t>(holder);
  REQUIRE(p.out_size == 256);
  std::vector<std::uint32_t> counts(256, 0);
  for (index_t i = 0; i < n; ++i) ++counts[p.in[0][i]];
  CHECK(*std::min_element(counts.begin(), counts.end()) > 250);  // all keys occur
  CHECK(p.check(counts).ok());
  ++counts[255];
  CHECK_FALSE(p.check(counts).ok());
}

TEST_CASE("a sparse matrix has 16 nonzeros a row on average, and rows of very different lengths") {
  for (index_t n : {1, 2, 100, 20'000}) {
    CAPTURE(n);
    study::sparse_product const p(n);
    CHECK(p.row_offsets[0] == 0);
    CHECK(p.row_offsets[n] == 16 * n);
    CHECK(p.nonzeros() == 16 * n);
    index_t empty = 0, longest = 0;
    for (index_t i = 0; i < n; ++i) {
      index_t const length = p.row_offsets[i + 1] - p.row_offsets[i];
      REQUIRE(length >= 0);
      empty += length == 0;
      longest = std::max(longest, length);
      for (index_t k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) REQUIRE((p.columns[k] >= 0 && p.columns[k] < n));
    }
    CHECK(longest <= study::sparse_product::longest);
    if (n < 1000) continue;
    CHECK(longest > 1000);
    CHECK(empty > n / 20);
    CHECK(p.columns[p.nonzeros() - 1] > n / 2);
  }
  CHECK_THROWS_AS(study::sparse_product(index_t(1) << 30), std::length_error);
}

TEST_CASE("sparse products") {
  study::sparse_product const p(3000);
  std::vector<float> y(3000, 0.0f);
  for (index_t i = 0; i < p.n; ++i)
    for (index_t k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) y[std::size_t(i)] += p.values[k] * p.x[p.columns[k]];
  CHECK(p.check(y).ok());
  for (index_t i = 0; i < p.n; ++i) {  // the last term of one row after another is missing, or something is there that should not be
    auto const end = p.row_offsets[i + 1];
    float const right = y[std::size_t(i)];
    y[std::size_t(i)] -= end > p.row_offsets[i] ? p.values[end - 1] * p.x[p.columns[end - 1]] : 1e-20f;
    if (i % 97 == 0) CHECK_FALSE(p.check(y).ok());
    y[std::size_t(i)] = right;
  }
}
