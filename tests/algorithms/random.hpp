// What the tests of random numbers share: Philox by its published definition, and distances from a distribution.
#pragma once

#include <algorithm>
#include <cmath>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

namespace random_tests {

using namespace dolmen;

/// FNV-1a: tells whether two backends made the same bytes.
template <class T>
std::uint64_t digest(std::vector<T> const& values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  auto const* const bytes = reinterpret_cast<unsigned char const*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

/// Kolmogorov and Smirnov: sqrt(n) times the largest distance between the values' distribution and F. Above 2.23 with a
/// probability of 1e-4; infinite with a NaN among the values.
template <class T, class F>
double distance(std::vector<T> values, F f) {
  for (T v : values)
    if (v != v) return std::numeric_limits<double>::infinity();
  std::sort(values.begin(), values.end());
  double const n = double(values.size());
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double const p = f(double(values[i]));
    worst = testing::worse(testing::worse(worst, p - double(i) / n), double(i + 1) / n - p);
  }
  return worst * std::sqrt(n);
}

/// How far a chi-square of equally probable counts is above its mean, in its standard deviations.
inline double excess(std::vector<std::int64_t> const& counts) {
  double total = 0, sum = 0;
  for (auto c : counts) total += double(c);
  double const expected = total / double(counts.size()), freedom = double(counts.size() - 1);
  for (auto c : counts) sum += (double(c) - expected) * (double(c) - expected) / expected;
  return (sum - freedom) / std::sqrt(2 * freedom);
}

inline double normal_distribution(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

}  // namespace random_tests
