// What the lanes of a warp do together, by the GPU's instructions. `n` lanes of the warp exist: 32, but in the last warp of
// a block whose size is not a multiple of 32. It is a constant for all other blocks.
#pragma once

#include "values.cuh"

namespace dolmen::cuda::impl {

using dolmen::detail::low_bits;

__device__ __forceinline__ int lane() {
  int l;
  asm("mov.u32 %0, %%laneid;" : "=r"(l));
  return l;
}

/// The same number, of which the compiler knows nothing. For conditions on the lane between shuffles: it might else take one way
/// for lane 0 and another for the rest from the first condition on, and a shuffle that two ways make together takes some 100 cycles.
__device__ __forceinline__ int unrelated(int number) {
  asm volatile("" : "+r"(number));
  return number;
}

/// A value in registers of 32 bits, as shuffles move it.
template <class T, class Move>
__device__ __forceinline__ T move_words(T const& value, Move move) {
  if constexpr (sizeof(T) == 4 && std::is_arithmetic_v<T>) {
    return move(value);
  } else {
    constexpr int words = (sizeof(T) + 3) / 4;
    struct alignas(4) image {
      unsigned word[words];
    } raw{}, moved;
    memcpy(&raw, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; ++i) moved.word[i] = move(raw.word[i]);
    T result;
    memcpy(&result, &moved, sizeof(T));
    return result;
  }
}

template <int W = warp_size, class T>
__device__ __forceinline__ T from_lane(T const& value, int source, int n) {
  return move_words(value, [&](auto word) { return __shfl_sync(low_bits(n), word, source, W); });
}
template <int W = warp_size, class T>
__device__ __forceinline__ T from_up(T const& value, int distance, int n) {
  return move_words(value, [&](auto word) { return __shfl_up_sync(low_bits(n), word, unsigned(distance), W); });
}
template <int W = warp_size, class T>
__device__ __forceinline__ T from_down(T const& value, int distance, int n) {
  return move_words(value, [&](auto word) { return __shfl_down_sync(low_bits(n), word, unsigned(distance), W); });
}
template <int W = warp_size, class T>
__device__ __forceinline__ T from_xor(T const& value, int mask, int n) {
  return move_words(value, [&](auto word) { return __shfl_xor_sync(low_bits(n), word, mask, W); });
}

/// op(a, b); sums and products of numbers as instructions of their own. The compiler would else make one fused instruction of
/// a product in a phase and the sum that follows: other bits than on other backends, and other bits from lane to lane.
template <class Op, class T>
__device__ __forceinline__ T combine(Op op, T const& a, T const& b) {
  if constexpr (std::is_same_v<Op, plus> && std::is_same_v<T, float>)
    return __fadd_rn(a, b);
  else if constexpr (std::is_same_v<Op, plus> && std::is_same_v<T, double>)
    return __dadd_rn(a, b);
  else if constexpr (std::is_same_v<Op, multiplies> && std::is_same_v<T, float>)
    return __fmul_rn(a, b);
  else if constexpr (std::is_same_v<Op, multiplies> && std::is_same_v<T, double>)
    return __dmul_rn(a, b);
  else
    return op(a, b);
}

/// The reduction of each segment of W lanes, in all of its lanes; the same tree as emulation::reduce_lanes.
template <int W, class T, class Op>
__device__ __forceinline__ T reduce_lanes(T value, Op op, int n) {
#if __CUDA_ARCH__ >= 800
  if constexpr (W == warp_size && sizeof(T) == 4 && std::is_integral_v<T>) {
    if (n == warp_size) {
      if constexpr (std::is_same_v<Op, plus>) return T(__reduce_add_sync(~0u, unsigned(value)));
      if constexpr (std::is_same_v<Op, bit_and>) return T(__reduce_and_sync(~0u, unsigned(value)));
      if constexpr (std::is_same_v<Op, bit_or>) return T(__reduce_or_sync(~0u, unsigned(value)));
      if constexpr (std::is_same_v<Op, bit_xor>) return T(__reduce_xor_sync(~0u, unsigned(value)));
      using word = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
      if constexpr (std::is_same_v<Op, minimum>) return T(__reduce_min_sync(~0u, word(value)));
      if constexpr (std::is_same_v<Op, maximum>) return T(__reduce_max_sync(~0u, word(value)));
    }
  }
#endif
  if constexpr (dolmen::detail::is_commutative<Op>) {
    if (n == warp_size) {  // a butterfly gives every lane the same
#pragma unroll
      for (int d = W / 2; d > 0; d /= 2) value = combine(op, value, from_xor<W>(value, d, n));
      return value;
    }
#pragma unroll
    for (int d = W / 2; d > 0; d /= 2) {
      T const other = from_down<W>(value, d, n);
      int const i = lane() % W;
      if (i < d && lane() + d < n) value = combine(op, value, other);
    }
  } else {
#pragma unroll
    for (int d = 1; d < W; d *= 2) {
      T const other = from_down<W>(value, d, n);
      int const i = lane() % W;
      if (i % (2 * d) == 0 && lane() + d < n) value = combine(op, value, other);
    }
  }
  return from_lane<W>(value, 0, n);
}

/// Inclusive scan within each segment.
template <int W, class T, class Op>
__device__ __forceinline__ T scan_lanes(T value, Op op, int n) {
  int const i = lane() % W;
#pragma unroll
  for (int d = 1; d < W; d *= 2) {
    T const other = from_up<W>(value, d, n);
    if (unrelated(i) >= d) value = combine(op, other, value);
  }
  return value;
}

template <int W, class T, class Op>
__device__ __forceinline__ T exclusive_scan_lanes(T value, T initial, Op op, int n) {
  T const before = from_up<W>(scan_lanes<W>(value, op, n), 1, n);
  return lane() % W == 0 ? initial : combine(op, initial, before);
}

/// The value of lane `source` of the segment; the own where there is no such lane.
template <int W, class T>
__device__ __forceinline__ T shuffle_lanes(T value, int source, int n) {
  int const mine = lane(), wanted = mine / W * W + (source & (W - 1));
  return from_lane(value, n == warp_size || wanted < n ? wanted : mine, n);
}
template <int W, class T>
__device__ __forceinline__ T shuffle_up_lanes(T value, int distance, int n) {
  int const mine = lane(), wanted = mine % W - distance;
  return from_lane(value, distance >= 0 && wanted >= 0 ? mine - distance : mine, n);
}
template <int W, class T>
__device__ __forceinline__ T shuffle_down_lanes(T value, int distance, int n) {
  int const mine = lane();
  bool const there = distance >= 0 && distance < W && mine % W + distance < W && mine + distance < n;
  return from_lane(value, there ? mine + distance : mine, n);
}
template <int W, class T>
__device__ __forceinline__ T shuffle_xor_lanes(T value, int mask, int n) {
  if (n == warp_size) return from_xor(value, mask & (W - 1), n);
  int const mine = lane(), wanted = mine ^ (mask & (W - 1));
  return from_lane(value, wanted < n ? wanted : mine, n);
}

/// Bit i is set where lane i of the segment holds true.
template <int W>
__device__ __forceinline__ std::uint32_t ballot_lanes(bool value, int n) {
  std::uint32_t const bits = __ballot_sync(low_bits(n), value);
  return W == warp_size ? bits : bits >> (lane() / W * W) & low_bits(W);
}
/// Lanes of the segment that exist.
template <int W>
__device__ __forceinline__ std::uint32_t existing_lanes(int n) {
  return W == warp_size ? low_bits(n) : low_bits(n) >> (lane() / W * W) & low_bits(W);
}
template <int W, class T>
__device__ __forceinline__ std::uint32_t match_lanes(T value, int n) {
  auto const raw = dolmen::detail::match_bits(value);
  std::uint32_t bits;
  if constexpr (sizeof(raw) == 8)
    bits = __match_any_sync(low_bits(n), static_cast<unsigned long long>(raw));
  else
    bits = __match_any_sync(low_bits(n), unsigned(raw));
  return W == warp_size ? bits : bits >> (lane() / W * W) & low_bits(W);
}

}  // namespace dolmen::cuda::impl
