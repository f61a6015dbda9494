// What the tests of softmax and the norms share.
#pragma once

#include <algorithm>
#include <cmath>

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
    worst = worse(worst, std::fabs(double(got[i]) - expected[i]) / bounds[i]);
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

/// Lengths of whole vectors of 16 bytes, on both sides of what a part of a warp, a block or a cluster of blocks holds on a GPU.
template <class T>
std::vector<index_t> vector_lengths() {
  std::vector<index_t> lengths;
  for (index_t n : {8,     72,    520,   2056,  4104,   8200,   16384,  16392,  32760,  32768,
                    32776, 65528, 65536, 65544, 131064, 131072, 131080, 262136, 262144, 262152}) {
    index_t const longest = small_sizes() ? 2056 : full_products() || std::is_same_v<T, half> ? n : 131080;
    bool const chosen = full_products() || std::is_same_v<T, half> || n % 16 == 8;  // all of them with one type
    if (chosen && n <= longest) lengths.push_back(n);
  }
  return lengths;
}
/// Input and result whose rows begin at multiples of 16 bytes; of these one in turn.
inline std::pair<place, place> vector_places(int turn) {
  return turn % 2 == 0 ? std::pair<place, place>{{0, 0}, {8, 0}} : std::pair<place, place>{{16, 8}, {0, 24}};
}

/// A few rows over and over: on a GPU so many that each part of it has its turn again and again.
template <class B>
struct rows_over_and_over {
  static constexpr index_t different = 5;
  index_t width, rows;

  rows_over_and_over(index_t n, index_t elements) : width(n), rows(is_cpu<B> || small_sizes() ? 9 : elements / n) {}

  template <class T>
  std::vector<T> values(double spread) const {
    auto const few = spread_values<T>(different * width, spread);
    std::vector<T> all;
    all.reserve(std::size_t(rows * width));
    for (index_t row = 0; row < rows; ++row) {
      auto const from = few.begin() + row % different * width;
      all.insert(all.end(), from, from + width);
    }
    return all;
  }
  /// Rows behind the first ones whose bits are not those of the first one that has the same values. The first ones are for a
  /// reference to judge.
  template <class T>
  index_t differ(std::vector<T> const& got) const {
    index_t n = 0;
    for (index_t row = different; row < rows; ++row)
      n += std::memcmp(got.data() + row * width, got.data() + row % different * width, std::size_t(width) * sizeof(T)) != 0;
    return n;
  }
};

/// Input and result: both aligned alike, both misaligned alike, and each in its own way; of these one in turn.
inline std::vector<std::pair<place, place>> row_places(int turn) {
  std::vector<std::pair<place, place>> const all{
      {{0, 0}, {0, 0}}, {{0, 16}, {0, 32}}, {{1, 3}, {1, 3}}, {{0, 1}, {3, 2}}, {{2, 5, true}, {1, 0, true}}};
  if (full_products()) return all;
  return {all[std::size_t(turn) % all.size()]};
}

}  // namespace testing
