// What has atomics, and the arithmetic that they share on every backend.
#pragma once

#include "bits.hpp"

namespace dolmen::detail {

template <class T, class... Others>
concept one_of = (std::same_as<T, Others> || ...);

/// Every spelling of the 32- and 64-bit integers; not bool, characters or enums.
template <class T>
concept atomic_integer = one_of<T, int, unsigned, long, unsigned long, long long, unsigned long long> &&(sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
concept atomic_type = atomic_integer<T> || one_of<T, float, double>;

/// Integers wrap, signed ones too.
template <class T>
DOLMEN_INLINE_FN constexpr T sum(T a, T b) {
  if constexpr (atomic_integer<T>)
    return static_cast<T>(static_cast<word_of<T>>(a) + static_cast<word_of<T>>(b));
  else
    return a + b;
}
template <class T>
DOLMEN_INLINE_FN constexpr T negative(T x) {
  if constexpr (atomic_integer<T>)
    return static_cast<T>(word_of<T>(0) - static_cast<word_of<T>>(x));
  else
    return -x;
}

/// The order of the floats on whole numbers: -infinity < ... < -0 < +0 < ... < infinity. It needs no rule for zeros, keeps
/// subnormals apart, and does not depend on the compiler's flags. NaN is asked for before.
template <class T>
struct float_order {
  using word = word_of<T>;
  using key = std::make_signed_t<word>;
  static constexpr word sign = word(1) << (8 * sizeof(T) - 1);
  static constexpr word infinity = sizeof(T) == 4 ? word(0x7f800000u) : word(0x7ff0000000000000u);

  DOLMEN_INLINE_FN static constexpr bool is_nan(T x) { return (bits_of(x) & ~sign) > infinity; }
  DOLMEN_INLINE_FN static constexpr bool less(T a, T b) { return key_of(a) < key_of(b); }

 private:
  DOLMEN_INLINE_FN static constexpr key key_of(T x) {
    word const bits = bits_of(x);
    return static_cast<key>(bits & sign ? bits ^ ~sign : bits);
  }
};

/// fetch_min writes x over old. A NaN stays, and replaces any number.
template <class T>
DOLMEN_INLINE_FN constexpr bool lowers(T old, T x) {
  if constexpr (atomic_integer<T>)
    return x < old;
  else
    return !float_order<T>::is_nan(old) && (float_order<T>::is_nan(x) || float_order<T>::less(x, old));
}
/// fetch_max writes x over old.
template <class T>
DOLMEN_INLINE_FN constexpr bool raises(T old, T x) {
  if constexpr (atomic_integer<T>)
    return old < x;
  else
    return !float_order<T>::is_nan(old) && (float_order<T>::is_nan(x) || float_order<T>::less(old, x));
}

}  // namespace dolmen::detail
