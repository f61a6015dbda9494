// half and bfloat16: floating-point numbers of 16 bits, to be stored and computed with on every backend.
#pragma once

#include "half_bits.hpp"

namespace dolmen {

/// A floating-point number of 16 bits; Format says which. A float, a double or an integer becomes one only where that is
/// written, and is rounded once, to nearest even: subnormals are kept, what is too large becomes infinity. It becomes a float
/// by itself, exactly. + - * / of two are computed in float and rounded; with another number they are those of float.
///
/// The bits are the same on every backend, those of NaN too: a NaN that a conversion or arithmetic makes has the bits 0x7fff;
/// one that becomes a float has the bits 0x7fffffff if it is a half, and keeps its own if it is a bfloat16.
/// Half results are the exact ones rounded once. So are those of bfloat16, but for products and quotients below 2^-126, where
/// float itself has rounded them already.
template <class Format>
class small_float {
 public:
  small_float() = default;
  template <class N>
  requires(std::is_arithmetic_v<N> && sizeof(N) <= 8) DOLMEN_INLINE_FN explicit constexpr small_float(N n)
      : bits_(Format::round(float_of(n))) {}
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

  DOLMEN_INLINE_FN constexpr operator float() const { return Format::widen(bits_); }

  DOLMEN_INLINE_FN friend constexpr small_float operator+(small_float a, small_float b) { return small_float(float(a) + float(b)); }
  DOLMEN_INLINE_FN friend constexpr small_float operator-(small_float a, small_float b) { return small_float(float(a) - float(b)); }
  DOLMEN_INLINE_FN friend constexpr small_float operator*(small_float a, small_float b) { return small_float(float(a) * float(b)); }
  DOLMEN_INLINE_FN friend constexpr small_float operator/(small_float a, small_float b) { return small_float(float(a) / float(b)); }
  DOLMEN_INLINE_FN friend constexpr small_float operator-(small_float a) { return from_bits(a.bits_ ^ 0x8000); }

  // a += b is a = small_float(a + b), whatever number b is.
  template <class B>
  DOLMEN_INLINE_FN constexpr small_float& operator+=(B&& b) {
    return *this = small_float(*this + static_cast<B&&>(b));
  }
  template <class B>
  DOLMEN_INLINE_FN constexpr small_float& operator-=(B&& b) {
    return *this = small_float(*this - static_cast<B&&>(b));
  }
  template <class B>
  DOLMEN_INLINE_FN constexpr small_float& operator*=(B&& b) {
    return *this = small_float(*this * static_cast<B&&>(b));
  }
  template <class B>
  DOLMEN_INLINE_FN constexpr small_float& operator/=(B&& b) {
    return *this = small_float(*this / static_cast<B&&>(b));
  }

  // Comparisons are those of float, into which both sides turn.

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
      return n < 0 ? -detail::odd_float(0 - wide) : detail::odd_float(wide);
    }
  }

  std::uint16_t bits_;
};

/// IEEE binary16: 11 significant bits, up to 65504, normal from 2^-14, subnormal from 2^-24.
using half = small_float<detail::binary16>;
/// The upper half of a float: 8 significant bits, the range of float.
using bfloat16 = small_float<detail::upper_half>;

template <class Format>
inline constexpr bool is_floating_v<small_float<Format>> = true;
template <class Format>
inline constexpr bool is_floating_v<small_float<Format> const> = true;

/// half or bfloat16.
template <class T>
concept half_type = std::same_as<T, half> || std::same_as<T, bfloat16>;

static_assert(sizeof(half) == 2 && alignof(half) == 2 && std::is_trivially_default_constructible_v<half> && element_type<half>);

}  // namespace dolmen
