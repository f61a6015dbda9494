// How elements of one size share a kernel whatever their order.
//
// Signed and unsigned integers, minimum and maximum differ in the order of their bits alone: with the sign bit of unsigned integers
// flipped they are ordered as signed ones, and with all bits flipped (of floats, the sign) the minimum is the maximum. Elements are
// flipped in registers, four bytes at a time, which costs nothing where memory is the limit. So the minimum and maximum of twelve
// types need eight kernels instead of twenty-four.
#pragma once

#include "../../core/bits.hpp"
#include "../../core/operators.hpp"

namespace dolmen::cuda::impl {

using dolmen::detail::word_of;

/// The type whose order is that of T once bits are flipped.
template <class T>
struct ordered_type {
  using type = T;
};
template <std::integral T>
struct ordered_type<T> {
  using type = std::make_signed_t<T>;
};
template <class T>
using ordered_t = typename ordered_type<T>::type;

template <class T>
inline constexpr word_of<T> sign_bit = word_of<T>(word_of<T>(1) << (8 * sizeof(T) - 1));

/// What is flipped so that the maximum of ordered_t is that of T, or, inverted, the minimum.
template <class T>
constexpr word_of<T> flip_of(bool inverted) {
  if constexpr (!std::is_integral_v<T>)
    return inverted ? sign_bit<T> : word_of<T>(0);
  else
    return word_of<T>((std::is_signed_v<T> ? word_of<T>(0) : sign_bit<T>)^(inverted ? word_of<T>(~word_of<T>(0)) : word_of<T>(0)));
}

/// Bits in which all elements of a vector are changed at once.
template <class T>
struct element_bits {
  std::uint64_t repeated;
  constexpr explicit element_bits(word_of<T> one) : repeated(one) {
    for (unsigned width = 8 * sizeof(T); width < 64; width *= 2) repeated |= repeated << width;
  }
  DOLMEN_INLINE_FN constexpr word_of<T> one() const { return word_of<T>(repeated); }
  /// Of word number i of a vector.
  DOLMEN_INLINE_FN constexpr std::uint32_t word(int i) const {
    return std::uint32_t(sizeof(T) == 8 && i % 2 != 0 ? repeated >> 32 : repeated);
  }
};

template <class T>
DOLMEN_INLINE_FN constexpr T flipped(T x, word_of<T> bits) {
  return dolmen::detail::bits_as<T>(word_of<T>(dolmen::detail::bits_of(x) ^ bits));
}

/// What `bits` leaves of a vector of elements.
template <class V, class T>
__device__ __forceinline__ V flipped_vector(V v, element_bits<T> const& bits) {
  constexpr int words = (int(sizeof(V)) + 3) / 4;
  std::uint32_t word[words] = {};
  memcpy(word, &v, sizeof v);
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] ^= bits.word(i);
  memcpy(&v, word, sizeof v);
  return v;
}

/// The operator of scans that is the maximum of T, and through `flip` minimum and maximum of all types that have its bits. Elements
/// are flipped when they are loaded, results before they are stored.
template <class T>
struct flipping_maximum {
  static constexpr bool commutative = true;
  element_bits<T> flip;
  template <class V>
  DOLMEN_INLINE_FN constexpr V operator()(V a, V b) const {
    return maximum{}(a, b);
  }
};

/// Of a vector that was loaded, or is to be stored.
template <class Op, class V>
__device__ __forceinline__ V flipped_by(Op const&, V const& v) {
  return v;
}
template <class T, class V>
__device__ __forceinline__ V flipped_by(flipping_maximum<T> const& op, V const& v) {
  return flipped_vector(v, op.flip);
}

/// What elements are combined with once they are flipped.
template <class Op>
__device__ __forceinline__ Op combining(Op const& op) {
  return op;
}
template <class T>
__device__ __forceinline__ maximum combining(flipping_maximum<T> const&) {
  return {};
}

}  // namespace dolmen::cuda::impl
