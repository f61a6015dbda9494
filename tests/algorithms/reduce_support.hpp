// Values and references of the tests of reductions.
#pragma once

#include <cmath>
#include <ostream>
#include <random>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

namespace testing::reductions {

using namespace dolmen;

/// Where views lie: all places with every length only where full products are asked for.
inline std::vector<place> places(index_t n) {
  if (full_products()) return {{}, {1}, {2}, {3, 0, true}, {5, 0, true}};
  return n % 2 ? std::vector<place>{{1, 0, true}} : std::vector<place>{{0, 0, true}, {3}};
}

/// The longest of the ladder only with some types, unless full products are asked for.
template <class T>
std::vector<index_t> lengths() {
  auto all = ladder();
  bool const some = std::is_same_v<T, std::int8_t> || std::is_same_v<T, float> || std::is_same_v<T, half>;
  if (!full_products() && !some) std::erase(all, 1000003);
  return all;
}

template <class T>
constexpr bool is_float = is_floating_v<T>;

/// Floats in [-1, 1), integers over their whole range.
template <class T>
std::vector<T> spread_values(index_t n, std::uint64_t seed = 1) {
  if constexpr (half_type<T>) {
    std::vector<T> values;
    for (float v : random_values<float>(n, seed)) values.push_back(T(v));
    return values;
  } else {
    return random_values<T>(n, seed);
  }
}

/// Few different values, so that extremes come more than once.
template <class T>
std::vector<T> few_values(index_t n, std::uint64_t seed) {
  std::mt19937_64 next(seed);
  std::vector<T> values;
  for (index_t i = 0; i < n; ++i) {
    int const v = int(next() % 7);
    values.push_back(static_cast<T>(std::is_signed_v<T> || is_float<T> ? v - 3 : v));
  }
  return values;
}

/// half and bfloat16 as the floats that they are.
template <class T>
auto wide(T v) {
  if constexpr (half_type<T>)
    return float(v);
  else
    return v;
}
template <class T>
bool is_nan(T v) {
  return wide(v) != wide(v);
}
template <class T>
bool negative_zero(T v) {
  if constexpr (is_float<T>)
    return wide(v) == 0 && std::signbit(wide(v));
  else
    return false;
}
/// The same bits, or two NaNs.
template <class T>
bool same(T a, T b) {
  return (is_nan(a) && is_nan(b)) || std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
bool same(min_max<T> a, min_max<T> b) {
  return same(a.min, b.min) && same(a.max, b.max);
}

/// Less, with NaN before all and -0.0 before 0.0.
template <class T>
bool below(T a, T b) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) && !is_nan(b);
  return wide(a) < wide(b) || (negative_zero(a) && wide(b) == 0 && !negative_zero(b));
}
template <class T>
bool above(T a, T b) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) && !is_nan(b);
  return wide(b) < wide(a) || (negative_zero(b) && wide(a) == 0 && !negative_zero(a));
}

template <class T>
T least(std::vector<T> const& v) {
  T best = v.at(0);
  for (T x : v) best = below(x, best) ? x : best;
  return best;
}
template <class T>
T greatest(std::vector<T> const& v) {
  T best = v.at(0);
  for (T x : v) best = above(x, best) ? x : best;
  return best;
}
/// Of equals the first, -0.0 being equal to 0.0.
template <class T>
index_t place_of_least(std::vector<T> const& v) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < v.size(); ++i)
    if ((is_nan(v[i]) && !is_nan(v[best])) || wide(v[i]) < wide(v[best])) best = i;
  return index_t(best);
}
template <class T>
index_t place_of_greatest(std::vector<T> const& v) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < v.size(); ++i)
    if ((is_nan(v[i]) && !is_nan(v[best])) || wide(v[best]) < wide(v[i])) best = i;
  return index_t(best);
}

/// Integers wrap in 64 bits; floats are added and multiplied wide.
template <class Sum, class T>
Sum sum_of(std::vector<T> const& v) {
  if constexpr (std::is_integral_v<Sum>) {
    std::uint64_t sum = 0;
    for (T x : v) sum += std::uint64_t(Sum(x));
    return Sum(sum);
  } else {
    long double sum = 0;
    for (T x : v) sum += static_cast<long double>(wide(x));
    return Sum(sum);
  }
}
template <class T>
double magnitude_of(std::vector<T> const& v) {
  long double sum = 0;
  for (T x : v) sum += std::fabs(static_cast<long double>(wide(x)));
  return double(sum);
}
/// A tree above chains: the error grows with the logarithm, not with n.
template <class Sum>
double sum_bound(index_t n, double magnitude) {
  return (64 + 2 * std::log2(double(n) + 1)) * double(std::numeric_limits<Sum>::epsilon()) * magnitude;
}

/// Calls f<T>() for each type.
template <class... T, class F>
void each_type(F f) {
  (f.template operator()<T>(), ...);
}
template <class F>
void each_integer(F f) {
  each_type<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(f);
}
template <class F>
void each_float(F f) {
  each_type<float, double, half, bfloat16>(f);
}
template <class F>
void each_number(F f) {
  each_integer(f);
  each_float(f);
}

}  // namespace testing::reductions
