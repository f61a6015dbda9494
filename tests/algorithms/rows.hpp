// What the tests of softmax and the norms share.
#pragma once

#include <algorithm>

#include "../backends.hpp"

#include "../support/child.hpp"
#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

namespace testing {

using dolmen::bfloat16;
using dolmen::half;

template <class T>
using computed_in = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Half the distance from 1 to the next number.
template <class T>
inline constexpr double roundoff = 0;
template <>
inline constexpr double roundoff<float> = 0x1p-24;
template <>
inline constexpr double roundoff<double> = 0x1p-53;
template <>
inline constexpr double roundoff<half> = 0x1p-11;
template <>
inline constexpr double roundoff<bfloat16> = 0x1p-8;

/// The distance between subnormal numbers, which a result near 0 may be off.
template <class T>
inline constexpr double least = 0x1p-126;  // a GPU may flush what lies below
template <>
inline constexpr double least<double> = 0x1p-1022;
template <>
inline constexpr double least<half> = 0x1p-24;

template <class T>
T number(double x) {
  return T(x);
}

template <class T>
std::vector<T> spread_values(index_t n, double spread, std::uint64_t seed = 1) {
  std::vector<T> values;
  values.reserve(std::size_t(n));
  for (double v : random_values<double>(n, seed)) values.push_back(T(v * spread));
  return values;
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// The largest error in units of its bound; infinite for a NaN.
template <class T>
double worst_error(T const* got, std::vector<double> const& expected, std::vector<double> const& bounds) {
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double const error = std::fabs(double(got[i]) - expected[i]) / bounds[i];
    worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
  }
  return worst;
}

/// Lengths on both sides of where bodies change what they do.
inline std::vector<index_t> row_lengths() {
  std::vector<index_t> lengths;
  for (index_t n : {1,    2,    31,   32,   33,    64,    100,   255,   256,    257,    512,    1023,
                    1024, 2050, 4097, 8191, 16384, 16385, 32769, 65537, 131072, 131075, 262147, 1 << 20})
    if (!small_sizes() || n <= 2050) lengths.push_back(n);
  return lengths;
}
inline index_t rows_for(index_t n) { return n <= 300 ? 13 : n <= 5000 ? 5 : n <= 40000 ? 3 : 2; }

/// Input and result: both aligned alike, both misaligned alike, and each in its own way; of these one in turn.
inline std::vector<std::pair<place, place>> row_places(int turn) {
  std::vector<std::pair<place, place>> const all{
      {{0, 0}, {0, 0}}, {{0, 16}, {0, 32}}, {{1, 3}, {1, 3}}, {{0, 1}, {3, 2}}, {{2, 5, true}, {1, 0, true}}};
  if (full_products()) return all;
  return {all[std::size_t(turn) % all.size()]};
}

}  // namespace testing
