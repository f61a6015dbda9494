// Values as bits, for kernels too: std::bit_cast is the host's alone.
#pragma once

#include "types.hpp"

namespace dolmen::detail {

/// The unsigned integer of T's size: 1, 2, 4 or 8 bytes.
template <class T>
using word_of =
    std::conditional_t<sizeof(T) == 8, std::uint64_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <class To, class From>
DOLMEN_INLINE_FN constexpr To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

template <class T>
DOLMEN_INLINE_FN constexpr word_of<T> bits_of(T value) {
  return bits_as<word_of<T>>(value);
}

}  // namespace dolmen::detail
