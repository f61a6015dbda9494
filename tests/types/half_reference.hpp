// What 16 bits a number rounds to, worked out apart from the library: in long double, which holds every double and every
// 64-bit integer, from the definition of the formats.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <dolmen/core/half.hpp>

namespace testing {

static_assert(std::numeric_limits<long double>::digits >= 64);

/// Significant bits, and the exponents of the least and the largest normal number.
template <class H>
struct format;
template <>
struct format<dolmen::half> {
  static constexpr int digits = 11, least = -14, most = 15;
};
template <>
struct format<dolmen::bfloat16> {
  static constexpr int digits = 8, least = -126, most = 127;
};

/// The value of a pattern of bits that is not NaN.
template <class H>
long double reference_value(std::uint16_t bits) {
  using f = format<H>;
  int const stored = f::digits - 1, exponent = (bits & 0x7fff) >> stored, fraction = bits & ((1 << stored) - 1);
  long double size = 0;
  if (exponent == f::most + 1 - f::least + 1)
    size = std::numeric_limits<long double>::infinity();
  else if (exponent == 0)
    size = std::ldexp(static_cast<long double>(fraction), f::least - stored);
  else
    size = std::ldexp(static_cast<long double>(fraction + (1 << stored)), exponent - 1 + f::least - stored);
  return (bits & 0x8000) != 0 ? -size : size;
}

/// The pattern to which x rounds.
template <class H>
std::uint16_t reference_bits(long double x) {
  using f = format<H>;
  if (std::isnan(x)) return 0x7fff;
  int const sign = std::signbit(x) ? 0x8000 : 0, infinity = (f::most - f::least + 2) << (f::digits - 1);
  long double const size = std::fabs(x);
  if (std::isinf(x)) return static_cast<std::uint16_t>(sign | infinity);
  int exponent = f::least;
  if (size >= std::ldexp(1.0L, f::least)) exponent = std::ilogb(size);
  long double const units = std::ldexp(size, f::digits - 1 - exponent), whole = std::floor(units), rest = units - whole;
  auto count = static_cast<std::uint64_t>(whole);
  if (rest > 0.5L || (rest == 0.5L && count % 2 == 1)) ++count;
  if (count == std::uint64_t(1) << f::digits) {
    count /= 2;
    ++exponent;
  }
  if (exponent > f::most) return static_cast<std::uint16_t>(sign | infinity);
  // Exponent field 0 holds the subnormals: counts below the leading bit of normal numbers.
  std::uint64_t const leading = std::uint64_t(1) << (f::digits - 1);
  std::uint64_t const field = count < leading ? 0 : std::uint64_t(exponent - f::least + 1);
  return static_cast<std::uint16_t>(std::uint64_t(sign) | (field * leading + (count < leading ? count : count - leading)));
}

template <class H>
bool is_nan(std::uint16_t bits) {
  return (bits & 0x7fff) > ((format<H>::most - format<H>::least + 2) << (format<H>::digits - 1));
}

/// Every finite number of H, every point half-way between two, and the floats or doubles next to all of them.
template <class H, class F>
std::vector<F> near_midpoints() {
  std::vector<F> values;
  F const infinity = std::numeric_limits<F>::infinity();
  auto const add = [&](long double x) {
    F const f = static_cast<F>(x);
    for (F const v : {f, std::nextafter(f, infinity), std::nextafter(f, -infinity)}) {
      values.push_back(v);
      values.push_back(-v);
    }
  };
  for (int bits = 0; bits < 0x7fff && !is_nan<H>(std::uint16_t(bits + 1)); ++bits) {
    long double const here = reference_value<H>(std::uint16_t(bits)), next = reference_value<H>(std::uint16_t(bits + 1));
    add(here);
    // Beyond the largest number: half-way to what would follow it.
    if (std::isinf(next))
      add(here + (here - reference_value<H>(std::uint16_t(bits - 1))) / 2);
    else
      add((here + next) / 2);
  }
  values.push_back(infinity);
  values.push_back(-infinity);
  return values;
}

}  // namespace testing
