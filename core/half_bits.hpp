// Conversions of half and bfloat16 in terms of bits: one rounding, to nearest even, the same bits on every side.
#pragma once

#include "bits.hpp"

namespace dolmen::detail {

// The float of the same sign that keeps what a later rounding must know of d: cut off, and the last bit set if that
// lost anything ("round to odd"; Boldo and Melquiond, 2008). Rounding it to nearest is rounding d.
DOLMEN_INLINE_FN constexpr float odd_float(double d) {
  float const nearest = d > 3.4028234663852886e38 ? 3.40282347e38f : d < -3.4028234663852886e38 ? -3.40282347e38f : static_cast<float>(d);
  double const back = nearest, size = d < 0 ? -d : d, back_size = back < 0 ? -back : back;
  auto const bits = bits_as<std::uint32_t>(nearest);
  return bits_as<float>((bits - std::uint32_t(back_size > size)) | std::uint32_t(back != d));
}

// The same for an integer's magnitude, of which at least 11 leading bits stay.
DOLMEN_INLINE_FN constexpr float odd_float(std::uint64_t m) {
  int const cut = (m >> 52) != 0 ? 40 : (m >> 38) != 0 ? 28 : (m >> 24) != 0 ? 14 : 0;
  std::uint64_t const unit = std::uint64_t(1) << cut, lost = m & (unit - 1);
  return static_cast<float>((m - lost) | (lost != 0 ? unit : 0));
}

}  // namespace dolmen::detail

namespace dolmen::types {

// The formats stand beside the numbers: a template's arguments bring their namespaces into look-ups, and this one holds types alone.

/// IEEE binary16: 5 bits of exponent, 10 of fraction.
struct binary16 {
  static constexpr int digits = 11, min_exponent = -13, max_exponent = 16;  // as numeric_limits counts them
  static constexpr std::uint16_t infinity = 0x7c00;
  // The software's two directions have no branch, and no choice behind a floating-point operation, so that compilers
  // vectorise loops of them.
  static constexpr std::uint32_t float_infinity = 0x7f800000;

  // Adds 2^13 times the power of two of the number (that of 2^-14 if it is smaller): the last bit of the sum, as a float, is
  // the last bit that binary16 has, and the bits above those of the addend count its units.
  DOLMEN_INLINE_FN static constexpr std::uint16_t software_round(float f) {
    constexpr std::uint32_t least_normal = (127u - 14) << 23, overflow = (127u + 16) << 23;
    auto const bits = detail::bits_as<std::uint32_t>(f);
    std::uint32_t const size = bits & 0x7fffffff, number = size < overflow ? size : overflow;
    std::uint32_t const exponent = number & float_infinity, power = exponent > least_normal ? exponent : least_normal;
    std::uint32_t const addend = power + (13u << 23);
    std::uint32_t const units = detail::bits_as<std::uint32_t>(detail::bits_as<float>(number) + detail::bits_as<float>(addend)) - addend;
    std::uint32_t const rounded = ((power - least_normal) >> 13) + units;
    return static_cast<std::uint16_t>(rounded | (size > float_infinity ? 0x7fff : (bits >> 16) & 0x8000));
  }

  // One half has its last bit at 2^-24, so the difference is the number up to 2^-14. Above, bits just move.
  DOLMEN_INLINE_FN static constexpr float software_widen(std::uint16_t h) {
    std::uint32_t const size = h & 0x7fffu, small = size < 0x400 ? size : 0x400;
    auto const up_to_normal = detail::bits_as<std::uint32_t>(detail::bits_as<float>(0x3f000000 + small) - 0.5f);
    std::uint32_t const number = up_to_normal + ((size - small) << 13);
    // Three choices, and 0x400 no variable (a choice between two of them is one of addresses): else g++ 12 makes branches.
    std::uint32_t const sign = size <= infinity ? (h & 0x8000u) << 16 : 0;
    std::uint32_t const exponent = size < infinity ? 0 : float_infinity;
    std::uint32_t const nan = size <= infinity ? 0 : 0x7fffffff;
    return detail::bits_as<float>(number | exponent | nan | sign);
  }

  DOLMEN_INLINE_FN static constexpr std::uint16_t round(float f) {
#if DOLMEN_ON_DEVICE
    if (!__builtin_is_constant_evaluated()) {
      std::uint16_t h = 0;
      asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
      return h;
    }
#endif
    return software_round(f);
  }

  DOLMEN_INLINE_FN static constexpr float widen(std::uint16_t h) {
#if DOLMEN_ON_DEVICE
    if (!__builtin_is_constant_evaluated()) {
      float f = 0;
      asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
      return f;
    }
#endif
    return software_widen(h);
  }
};

/// The upper half of a float: 8 bits of exponent, 7 of fraction.
struct upper_half {
  static constexpr int digits = 8, min_exponent = -125, max_exponent = 128;
  static constexpr std::uint16_t infinity = 0x7f80;
  DOLMEN_INLINE_FN static constexpr std::uint16_t software_round(float f) {
    auto const bits = detail::bits_as<std::uint32_t>(f);
    std::uint32_t const rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return static_cast<std::uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded);
  }

  DOLMEN_INLINE_FN static constexpr float software_widen(std::uint16_t h) { return detail::bits_as<float>(std::uint32_t(h) << 16); }

  DOLMEN_INLINE_FN static constexpr std::uint16_t round(float f) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (!__builtin_is_constant_evaluated()) {
      std::uint16_t h = 0;
      asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
      return h;
    }
#endif
    return software_round(f);
  }

  DOLMEN_INLINE_FN static constexpr float widen(std::uint16_t h) { return software_widen(h); }
};

}  // namespace dolmen::types
