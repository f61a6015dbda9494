// What the standard library says of half and bfloat16: limits, hashes, common types. Part of half.hpp.
#pragma once

#include <limits>
#include <typeindex>  // the lightest header that declares std::hash

#include "half.hpp"

/// With a number of the language the common type is that of a float with it; of a half and a bfloat16 it is float.
template <class Format, dolmen::detail::plain_number N>
struct std::common_type<dolmen::types::small_float<Format>, N> {
  using type = dolmen::detail::beside_half<N>;
};
template <dolmen::detail::plain_number N, class Format>
struct std::common_type<N, dolmen::types::small_float<Format>> {
  using type = dolmen::detail::beside_half<N>;
};
template <class Format, class Other>
requires(!std::same_as<Format, Other>) struct std::common_type<dolmen::types::small_float<Format>, dolmen::types::small_float<Other>> {
  using type = float;
};

template <class Format>
struct std::numeric_limits<dolmen::types::small_float<Format>> {
 private:
  using number = dolmen::types::small_float<Format>;
  // Bits of the number 2^e, for exponents of normal numbers.
  DOLMEN_FN static constexpr number power(int e) {
    return number::from_bits(static_cast<std::uint16_t>((e + max_exponent - 1) << (digits - 1)));
  }

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false, is_bounded = true;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = false, has_denorm_loss = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr bool is_iec559 = true, is_modulo = false, traps = false, tinyness_before = false;
  static constexpr int radix = 2, digits = Format::digits, min_exponent = Format::min_exponent, max_exponent = Format::max_exponent;
  // log10(2) is about 1233 / 4096.
  static constexpr int digits10 = (digits - 1) * 1233 / 4096, max_digits10 = digits * 1233 / 4096 + 2;
  static constexpr int min_exponent10 = (min_exponent - 1) * 1233 / 4096, max_exponent10 = max_exponent * 1233 / 4096;

  /// The least positive normal number.
  DOLMEN_FN static constexpr number min() noexcept { return power(min_exponent - 1); }
  DOLMEN_FN static constexpr number max() noexcept { return number::from_bits(Format::infinity - 1); }
  DOLMEN_FN static constexpr number lowest() noexcept { return number::from_bits((Format::infinity - 1) | 0x8000); }
  DOLMEN_FN static constexpr number epsilon() noexcept { return power(1 - digits); }
  DOLMEN_FN static constexpr number round_error() noexcept { return power(-1); }
  DOLMEN_FN static constexpr number infinity() noexcept { return number::from_bits(Format::infinity); }
  DOLMEN_FN static constexpr number quiet_NaN() noexcept { return number::from_bits(0x7fff); }
  DOLMEN_FN static constexpr number signaling_NaN() noexcept { return quiet_NaN(); }
  DOLMEN_FN static constexpr number denorm_min() noexcept { return number::from_bits(1); }
};

/// Equal numbers have equal hashes: 0.0 and -0.0.
template <class Format>
struct std::hash<dolmen::types::small_float<Format>> {
  std::size_t operator()(dolmen::types::small_float<Format> x) const noexcept {
    std::uint32_t const bits = x.bits();
    return (bits & 0x7fff) == 0 ? 0 : std::size_t(bits * std::uint64_t(0x9e3779b97f4a7c15));
  }
};
