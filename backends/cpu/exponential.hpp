// exp in straight lines that compilers vectorise.
#pragma once

#include "../../core/bits.hpp"

namespace dolmen::cpu {
namespace {

template <class C>
struct exp_constants;
// Cody and Waite's split of log 2 (Software Manual for the Elementary Functions, 1980): `high` has trailing zeros, so that
// its product with the whole number is exact. `whole`: adding it rounds to a whole number, which is then its last bits.
template <>
struct exp_constants<float> {
  using integer = std::int32_t;
  static constexpr int degree = 7, fraction_bits = 23, bias = 127;
  static constexpr float least = -104.0f, per_log2 = 1.44269504f, high = 0.693359375f, low = -2.12194440e-4f, whole = 12582912.0f;
};
template <>
struct exp_constants<double> {
  using integer = std::int64_t;
  static constexpr int degree = 13, fraction_bits = 52, bias = 1023;
  static constexpr double least = -746.0, per_log2 = 1.4426950408889634, high = 6.93147180369123816490e-01,
                          low = 1.90821492927058770002e-10, whole = 6755399441055744.0;
};

/// 1 / k!
template <class C>
inline constexpr auto taylor = [] {
  array<C, exp_constants<C>::degree + 1> t{};
  double factorial = 1;
  for (int k = 0; k < t.size(); factorial *= ++k) t[k] = C(1 / factorial);
  return t;
}();

/// exp(x) for x <= 0: 2^n exp(r) with |r| <= log(2) / 2 and Taylor's polynomial, whose remainder is below 0.05 units in the last
/// place (r^8 / 8! and r^14 / 14!). Within 2 units in the last place; results down to the least subnormal, below it 0; -inf
/// gives 0, NaN itself.
template <class C>
[[gnu::always_inline]] inline C exp_not_positive(C x) {
  using constants = exp_constants<C>;
  using integer = typename constants::integer;
  x = x < constants::least ? constants::least : x;
  C const shifted = x * constants::per_log2 + constants::whole, n = shifted - constants::whole;
  C const r = (x - n * constants::high) - n * constants::low;
  C p = taylor<C>[constants::degree];
#pragma GCC unroll 16
  for (int k = constants::degree - 1; k >= 0; --k) p = p * r + taylor<C>[k];
  // In two steps, since 2^n may be subnormal: halves of n, the first rounded as n was.
  C const shifted_half = n * C(0.5) + constants::whole;
  auto const number = [&](C s) { return dolmen::detail::bits_as<integer>(s) - dolmen::detail::bits_as<integer>(constants::whole); };
  integer const first = number(shifted_half), second = number(shifted) - first;
  auto const power = [&](integer e) {
    return dolmen::detail::bits_as<C>(dolmen::detail::word_of<C>(e + constants::bias) << constants::fraction_bits);
  };
  return p * power(first) * power(second);
}

}  // namespace
}  // namespace dolmen::cpu
