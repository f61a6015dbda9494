// The operators of reductions and scans. A user's own operator is any function object T(T, T) that is associative; one that
// is commutative too says so with `static constexpr bool commutative = true;`, which allows a shorter tree.
#pragma once

#include "bits.hpp"

namespace dolmen {

namespace detail {

template <class Op>
inline constexpr bool is_commutative = false;
template <class Op>
requires requires { Op::commutative; }
inline constexpr bool is_commutative<Op> = Op::commutative;

// Numbers with NaN and a signed zero.
template <class T>
inline constexpr bool has_nan = is_floating_v<T>;

}  // namespace detail

namespace types {

struct plus {
  static constexpr bool commutative = true;
  template <class T>
  DOLMEN_INLINE_FN constexpr T operator()(T a, T b) const {
    static_assert(!std::same_as<T, bool>, "plus: a sum of bools is no bool; take integers, or block.count");
    return static_cast<T>(a + b);
  }
};

struct multiplies {
  static constexpr bool commutative = true;
  template <class T>
  DOLMEN_INLINE_FN constexpr T operator()(T a, T b) const {
    static_assert(!std::same_as<T, bool>, "multiplies: of integers, not of bools");
    return static_cast<T>(a * b);
  }
};

/// NaN if either is NaN; -0.0 is less than 0.0.
struct minimum {
  static constexpr bool commutative = true;
  template <class T>
  DOLMEN_INLINE_FN constexpr T operator()(T a, T b) const {
    if constexpr (detail::has_nan<T>) {
      T const equal = detail::bits_as<T>(static_cast<detail::word_of<T>>(detail::bits_of(a) | detail::bits_of(b)));
      return a == b ? equal : (a < b || a != a ? a : b);
    } else {
      return b < a ? b : a;
    }
  }
};

/// NaN if either is NaN; 0.0 is more than -0.0.
struct maximum {
  static constexpr bool commutative = true;
  template <class T>
  DOLMEN_INLINE_FN constexpr T operator()(T a, T b) const {
    if constexpr (detail::has_nan<T>) {
      T const equal = detail::bits_as<T>(static_cast<detail::word_of<T>>(detail::bits_of(a) & detail::bits_of(b)));
      return a == b ? equal : (b < a || a != a ? a : b);
    } else {
      return a < b ? b : a;
    }
  }
};

struct bit_and {
  static constexpr bool commutative = true;
  template <std::integral T>
  DOLMEN_INLINE_FN constexpr T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct bit_or {
  static constexpr bool commutative = true;
  template <std::integral T>
  DOLMEN_INLINE_FN constexpr T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct bit_xor {
  static constexpr bool commutative = true;
  template <std::integral T>
  DOLMEN_INLINE_FN constexpr T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

}  // namespace types

using types::bit_and;
using types::bit_or;
using types::bit_xor;
using types::maximum;
using types::minimum;
using types::multiplies;
using types::plus;

}  // namespace dolmen
