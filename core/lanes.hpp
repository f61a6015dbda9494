// Warps and their segments: how many neighbouring lanes a warp operation works on.
#pragma once

#include "operators.hpp"
#include "shape.hpp"

namespace dolmen {

namespace types {

/// A segment of W neighbouring lanes; a warp operation then works on each segment of the warp on its own. lanes<32>{} is
/// the whole warp.
template <int W>
struct lanes {
  static_assert(W == 2 || W == 4 || W == 8 || W == 16 || W == 32, "a segment of a warp has 2, 4, 8, 16 or 32 lanes");
  static constexpr int width = W;
};

}  // namespace types

using types::lanes;

namespace detail {

/// Warps of a block; the last has fewer threads where the block's size is not a multiple of 32.
inline constexpr int warps_of(int threads) { return (threads + warp_size - 1) / warp_size; }

/// The low n bits, 0 <= n <= 32.
DOLMEN_INLINE_FN constexpr std::uint32_t low_bits(int n) { return n >= 32 ? ~std::uint32_t(0) : (std::uint32_t(1) << n) - 1; }

/// The bits of a value that warp_match compares.
template <class T>
DOLMEN_INLINE_FN auto match_bits(T const& value) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "match compares values of 1, 2, 4 or 8 bytes");
  return bits_of(value);
}

}  // namespace detail
}  // namespace dolmen
