#include "random.hpp"

#include <algorithm>
#include <cmath>

using namespace random_tests;

namespace {

constexpr std::uint64_t seed = 20;

template <class T, class B>
std::vector<T> normals(typename B::stream const& s, index_t n, std::uint64_t from = seed) {
  buffer<T, B> data(s, n);
  fill_normal(s, data, from);
  return download(s, data);
}

/// Skewness and excess kurtosis of n normal numbers have deviations of sqrt(6/n) and sqrt(24/n).
template <class T>
void check_moments(std::vector<T> const& values) {
  double const n = double(values.size());
  double m[5] = {};
  for (T x : values)
    for (int k = 1; k <= 4; ++k) m[k] += std::pow(double(x), k) / n;
  CHECK(std::fabs(m[1]) < 4.5 / std::sqrt(n));
  CHECK(std::fabs(m[2] - 1) < 4.5 * std::sqrt(2 / n));
  CHECK(std::fabs(m[3]) < 4.5 * std::sqrt(15 / n));
  CHECK(std::fabs(m[4] - 3) < 4.5 * std::sqrt(96 / n));
}

/// Neighbours, and elements further apart, must not go together.
template <class T>
void check_correlation(std::vector<T> const& values, double mean, double variance) {
  double const n = double(values.size());
  for (std::size_t lag : {1, 2, 3, 4, 256}) {
    CAPTURE(lag);
    double sum = 0;
    for (std::size_t i = lag; i < values.size(); ++i) sum += (double(values[i]) - mean) * (double(values[i - lag]) - mean);
    CHECK(std::fabs(sum / n / variance) < 4.5 / std::sqrt(n));
  }
}

/// The exact numbers by the C library's long double functions.
template <class T>
double largest_error(std::vector<T> const& values) {
  long double const pi = 3.141592653589793238462643383279502884L;
  long double worst = 0;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    long double unit, turn;
    if constexpr (std::is_same_v<T, double>) {
      auto const w = philox(seed, i / 2);
      std::uint64_t const a = std::uint64_t(w.word[1]) << 32 | w.word[0], b = std::uint64_t(w.word[3]) << 32 | w.word[2];
      unit = ((long double)(a >> 12) + 0.5L) * 0x1p-52L;
      turn = (long double)(b >> 12) * 0x1p-52L;
    } else {
      auto const w = philox(seed, i / 4);
      unit = ((long double)(w.word[i % 4] >> 1) + 0.5L) * 0x1p-31L;
      turn = (long double)w.word[i % 4 + 1] * 0x1p-32L;
    }
    long double const radius = std::sqrt(-2 * std::log(unit));
    worst = testing::worse(worst, std::fabs(values[i] - radius * std::cos(2 * pi * turn)));
    worst = testing::worse(worst, std::fabs(values[i + 1] - radius * std::sin(2 * pi * turn)));
  }
  return double(worst);
}

}  // namespace

TEST_CASE_TEMPLATE("random: normal numbers are as exact as documented", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(2000000, 50000);
  CHECK(largest_error(normals<float, B>(s, n)) < 2e-6);
  CHECK(largest_error(normals<double, B>(s, n)) < 4e-15);
  // Where rounding to 16 bits is all that is added.
  buffer<half, B> halves(s, 10000);
  buffer<bfloat16, B> brains(s, 10000);
  fill_normal(s, halves, seed, 0.5f, 2);
  fill_normal(s, brains, seed, 0.5f, 2);
  auto const wide = normals<float, B>(s, 10000);
  auto const h = download(s, halves);
  auto const b = download(s, brains);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    REQUIRE(h[i].bits() == half(std::fma(2.0f, wide[i], 0.5f)).bits());
    REQUIRE(b[i].bits() == bfloat16(std::fma(2.0f, wide[i], 0.5f)).bits());
  }
}

// Made on the CPU backend; every other has to make the same.
TEST_CASE_TEMPLATE("random: the same numbers on every backend, bit for bit", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = 50000;
  CHECK(digest(normals<float, B>(s, n)) == 14980232431817851994u);
  CHECK(digest(normals<double, B>(s, n)) == 13283720900199066172u);
  buffer<float, B> scaled(s, n);
  fill_normal(s, scaled, seed, 0.3f, 1.7f);
  CHECK(digest(download(s, scaled)) == 557532558510818074u);
}

TEST_CASE_TEMPLATE("random: normal numbers are normally distributed", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(1 << 20, 1 << 16);
  auto const floats = normals<float, B>(s, n);
  check_moments(floats);
  check_correlation(floats, 0, 1);
  CHECK(distance(floats, normal_distribution) < 2.23);
  auto const doubles = normals<double, B>(s, n, 21);
  check_moments(doubles);
  check_correlation(doubles, 0, 1);
  CHECK(distance(doubles, normal_distribution) < 2.23);
  double largest = 0;
  for (double v : doubles) largest = testing::worse(largest, std::fabs(v));
  CHECK(largest > 4);
  CHECK(largest < 8.6);
}

TEST_CASE_TEMPLATE("random: uniform numbers are uniform", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(1 << 20, 1 << 16);
  buffer<float, B> f(s, n);
  fill_uniform(s, f, 3, -2, 6);
  auto const floats = download(s, f);
  CHECK(distance(floats, [](double x) { return (x + 2) / 8; }) < 2.23);
  check_correlation(floats, 2, 64.0 / 12);
  buffer<double, B> d(s, n);
  fill_uniform(s, d, 4);
  auto const doubles = download(s, d);
  CHECK(distance(doubles, [](double x) { return x; }) < 2.23);
  check_correlation(doubles, 0.5, 1.0 / 12);
}

TEST_CASE_TEMPLATE("random: integers are uniform", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(1 << 20, 1 << 16);
  auto const counts_of = [&](auto lo, auto hi, std::uint64_t from) {
    buffer<decltype(lo), B> data(s, n);
    fill_uniform(s, data, from, lo, hi);
    std::vector<std::int64_t> counts(std::size_t(hi) - std::size_t(lo) + 1, 0);
    for (auto x : download(s, data)) ++counts.at(std::size_t(x) - std::size_t(lo));
    return counts;
  };
  CHECK(std::fabs(excess(counts_of(std::int8_t(-100), std::int8_t(99), 5))) < 4.5);
  CHECK(std::fabs(excess(counts_of(std::uint16_t(0), std::uint16_t(999), 6))) < 4.5);
  CHECK(std::fabs(excess(counts_of(std::int32_t(-7), std::int32_t(42), 7))) < 4.5);
  CHECK(std::fabs(excess(counts_of(std::int64_t(-500), std::int64_t(500), 8))) < 4.5);
}
