// Warps and their segments: how many neighbouring lanes a warp operation works on.
#pragma once

#include "operators.hpp"
#include "print.hpp"
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

/// The initial value of an exclusive scan of values of type T, from whatever was given. It counts as if it stood before the values: a
/// floating-point number before integers does not compile, and a number that T does not have fails the launch, as DOLMEN_ASSERT does.
template <class T, class Initial>
DOLMEN_INLINE_FN T scan_start(Initial&& initial) {
  using given = value_behind<Initial>;
  given const x = static_cast<Initial&&>(initial);
  if constexpr (number<T> && number<given> && !std::same_as<T, given>) {
    static_assert(!std::is_integral_v<T> || std::is_integral_v<given>,
                  "exclusive_scan: the values are integers, the initial value is a floating-point number");
#if !defined(DOLMEN_NO_ASSERT)
    if (!holds_value<T>(x)) fail_assertion("the initial value of exclusive_scan is one of the values' type", __FILE__, __LINE__, -1);
#endif
  }
  return static_cast<T>(x);
}

/// The bits of a value that warp_match compares.
template <class T>
DOLMEN_INLINE_FN auto match_bits(T const& value) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "match compares values of 1, 2, 4 or 8 bytes");
  return bits_of(value);
}

}  // namespace detail
}  // namespace dolmen
