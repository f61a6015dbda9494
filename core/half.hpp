// half and bfloat16: floating-point numbers of 16 bits, to be stored and computed with on every backend.
#pragma once

#include "half_bits.hpp"

namespace dolmen {

namespace detail {
/// What stands beside a half in arithmetic: a number of the language.
template <class N>
concept plain_number = std::is_arithmetic_v<N>;
/// What a half and such a number are together.
template <class N>
using beside_half = decltype(float() + N());
}  // namespace detail

namespace types {

/// A floating-point number of 16 bits; Format says which. A float, a double or an integer becomes one only where that is
/// written, and is rounded once, to nearest even: subnormals are kept, what is too large becomes infinity. It becomes a float
/// by itself, exactly, and nothing else: a double, an integer or a bool only where that is written. + - * / of two are computed in
/// float and rounded; with another number they, and comparisons, are those of float: a half and an int make a float.
///
/// The bits are the same on every backend, those of NaN too: a NaN that a conversion or arithmetic makes has the bits 0x7fff;
/// one that becomes a float has the bits 0x7fffffff if it is a half, and keeps its own if it is a bfloat16.
/// Half results are the exact ones rounded once. So are those of bfloat16, but for products and quotients below 2^-126, where
/// float itself has rounded them already.
///
/// std::numeric_limits, std::hash and std::common_type know it. std::is_floating_point says no, as for every class:
/// dolmen::is_floating_v says yes.
template <class Format>
class small_float {
 public:
  small_float() = default;
  template <detail::plain_number N>
  requires(sizeof(N) <= 8) DOLMEN_INLINE_FN explicit constexpr small_float(N n) : bits_(Format::round(float_of(n))) {}
  template <class Other>
  requires(!std::same_as<Other, Format>) DOLMEN_INLINE_FN explicit constexpr small_float(small_float<Other> other)
      : small_float(float(other)) {}

  /// The number with these bits; they stay as they are.
  DOLMEN_INLINE_FN static constexpr small_float from_bits(std::uint16_t bits) {
    small_float result{};
    result.bits_ = bits;
    return result;
  }
  DOLMEN_INLINE_FN constexpr std::uint16_t bits() const { return bits_; }

  // A template, since a conversion to float alone would go on to int and bool by itself.
  template <detail::plain_number N>
  DOLMEN_INLINE_FN explicit(!std::same_as<N, float>) constexpr operator N() const {
    return static_cast<N>(Format::widen(bits_));
  }

  DOLMEN_INLINE_FN friend constexpr small_float operator-(small_float a) { return from_bits(a.bits_ ^ 0x8000); }
  DOLMEN_INLINE_FN friend constexpr float operator+(small_float a) { return a; }

#define DOLMEN_SMALL_FLOAT_ARITHMETIC(op)                                                                                               \
  DOLMEN_INLINE_FN friend constexpr small_float operator op(small_float a, small_float b) { return small_float(float(a) op float(b)); } \
  template <class Other>                                                                                                                \
  requires(!std::same_as<Other, Format>) DOLMEN_INLINE_FN friend constexpr float operator op(small_float a, small_float<Other> b) {     \
    return float(a) op float(b);                                                                                                        \
  }                                                                                                                                     \
  template <detail::plain_number N>                                                                                                     \
  DOLMEN_INLINE_FN friend constexpr auto operator op(small_float a, N b) {                                                              \
    return float(a) op static_cast<detail::beside_half<N>>(b);                                                                          \
  }                                                                                                                                     \
  template <detail::plain_number N>                                                                                                     \
  DOLMEN_INLINE_FN friend constexpr auto operator op(N a, small_float b) {                                                              \
    return static_cast<detail::beside_half<N>>(a) op float(b);                                                                          \
  }                                                                                                                                     \
  /* a op= b is a = small_float(a op b), whatever number b is; a float or double takes halves. */                                       \
  template <class B>                                                                                                                    \
  DOLMEN_INLINE_FN constexpr small_float& operator op##=(B&& b) {                                                                       \
    return *this = small_float(*this op static_cast<B&&>(b));                                                                           \
  }                                                                                                                                     \
  template <std::floating_point N>                                                                                                      \
  DOLMEN_INLINE_FN friend constexpr N& operator op##=(N& a, small_float b) {                                                            \
    return a op## = float(b);                                                                                                           \
  }
  DOLMEN_SMALL_FLOAT_ARITHMETIC(+)
  DOLMEN_SMALL_FLOAT_ARITHMETIC(-)
  DOLMEN_SMALL_FLOAT_ARITHMETIC(*)
  DOLMEN_SMALL_FLOAT_ARITHMETIC(/)
#undef DOLMEN_SMALL_FLOAT_ARITHMETIC

#define DOLMEN_SMALL_FLOAT_COMPARISON(op)                                                                                          \
  DOLMEN_INLINE_FN friend constexpr bool operator op(small_float a, small_float b) { return float(a) op float(b); }                \
  template <class Other>                                                                                                           \
  requires(!std::same_as<Other, Format>) DOLMEN_INLINE_FN friend constexpr bool operator op(small_float a, small_float<Other> b) { \
    return float(a) op float(b);                                                                                                   \
  }                                                                                                                                \
  template <detail::plain_number N>                                                                                                \
  DOLMEN_INLINE_FN friend constexpr bool operator op(small_float a, N b) {                                                         \
    return float(a) op static_cast<detail::beside_half<N>>(b);                                                                     \
  }                                                                                                                                \
  template <detail::plain_number N>                                                                                                \
  DOLMEN_INLINE_FN friend constexpr bool operator op(N a, small_float b) {                                                         \
    return static_cast<detail::beside_half<N>>(a) op float(b);                                                                     \
  }
  DOLMEN_SMALL_FLOAT_COMPARISON(==)
  DOLMEN_SMALL_FLOAT_COMPARISON(!=)
  DOLMEN_SMALL_FLOAT_COMPARISON(<)
  DOLMEN_SMALL_FLOAT_COMPARISON(>)
  DOLMEN_SMALL_FLOAT_COMPARISON(<=)
  DOLMEN_SMALL_FLOAT_COMPARISON(>=)
#undef DOLMEN_SMALL_FLOAT_COMPARISON

  /// For libraries of formatted output that ask a type what to print it as ({fmt} from 10 on).
  friend constexpr float format_as(small_float a) { return a; }

 private:
  // A float whose rounding is that of n.
  template <class N>
  DOLMEN_INLINE_FN static constexpr float float_of(N n) {
    if constexpr (std::same_as<N, double>) {
      return detail::odd_float(n);
    } else if constexpr (std::same_as<N, float> || sizeof(N) <= 2) {
      return static_cast<float>(n);
    } else {
      auto const wide = static_cast<std::uint64_t>(n);
      return detail::is_negative(n) ? -detail::odd_float(0 - wide) : detail::odd_float(wide);
    }
  }

  std::uint16_t bits_;
};

/// IEEE binary16: 11 significant bits, up to 65504, normal from 2^-14, subnormal from 2^-24.
using half = small_float<binary16>;
/// The upper half of a float: 8 significant bits, the range of float.
using bfloat16 = small_float<upper_half>;

}  // namespace types

using types::bfloat16;
using types::half;

template <class Format>
inline constexpr bool is_floating_v<types::small_float<Format>> = true;
template <class Format>
inline constexpr bool is_floating_v<types::small_float<Format> const> = true;

/// half or bfloat16.
template <class T>
concept half_type = std::same_as<T, half> || std::same_as<T, bfloat16>;

static_assert(sizeof(half) == 2 && alignof(half) == 2 && std::is_trivially_default_constructible_v<half> && element_type<half>);

}  // namespace dolmen

#include "half_traits.hpp"
