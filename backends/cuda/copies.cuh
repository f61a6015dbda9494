// Asynchronous copies from global to shared memory: cp.async from compute capability 8.0 on, plain copies before.
#pragma once

#include "../../core/emulation/copies.hpp"

namespace dolmen::cuda::impl {

/// Copies Bytes = 4, 8 or 16 from `from`, or writes as many zeros where it is not `inside`. Both are aligned to Bytes.
template <int Bytes>
__device__ __forceinline__ void copy_word([[maybe_unused]] void* to, [[maybe_unused]] void const* from, [[maybe_unused]] bool inside) {
#if __CUDA_ARCH__ >= 800
  unsigned const target = unsigned(__cvta_generic_to_shared(to));
  unsigned const bytes = inside ? Bytes : 0;  // the rest is filled with zeros
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(bytes) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(target), "l"(from), "r"(bytes), "n"(Bytes) : "memory");
#endif
}

/// `to` becomes *from, or zero where it is not `inside`; `from` is a valid address in any case. In words that the type's
/// alignment allows: a record of two floats may lie at any multiple of 4.
template <class E>
__device__ __forceinline__ void copy_element(E* to, E const* from, bool inside) {
#if __CUDA_ARCH__ >= 800
  constexpr int word = int(min(alignof(E), std::size_t(16)));
  if constexpr (word >= 4 && sizeof(E) <= 64) {
#pragma unroll
    for (int i = 0; i < int(sizeof(E)); i += word)
      copy_word<word>(reinterpret_cast<char*>(to) + i, reinterpret_cast<char const*>(from) + i, inside);
    return;
  }
#endif
  *to = inside ? *from : E{};
}

/// Ends the group of copies that this thread has begun.
__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int N>
__device__ __forceinline__ void wait_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

/// Waits until at most the newest n groups of this thread are under way.
__device__ __forceinline__ void wait_copies(int n) {
  switch (n) {  // an immediate operand
    case 1:
      return wait_group<1>();
    case 2:
      return wait_group<2>();
    case 3:
      return wait_group<3>();
    case 4:
      return wait_group<4>();
    case 5:
      return wait_group<5>();
    case 6:
      return wait_group<6>();
    case 7:
      return wait_group<7>();
    default:
      return wait_group<0>();
  }
}

/// A box of Rows x Columns elements of E by `Threads` threads. What counts for the block is worked out once: per element
/// remain two comparisons of 32 bits.
template <int Rows, int Columns, int Threads, class E>
__device__ __forceinline__ void copy_box(E* to, int pitch, E const* from, index_t stride, index_t rows, index_t columns, index_t row,
                                         index_t column, int rank) {
  int const top = int(min(max(-row, index_t(0)), Rows)), bottom = int(min(max(rows - row, index_t(top)), Rows));
  int const left = int(min(max(-column, index_t(0)), Columns)), right = int(min(max(columns - column, index_t(left)), Columns));
  E const* const corner = from + row * stride + column;
#pragma unroll
  for (int i = 0; i < ceil_div(Rows * Columns, Threads); ++i) {
    int const k = i * Threads + rank;
    if ((i + 1) * Threads > Rows * Columns && k >= Rows * Columns) break;
    int const y = k / Columns, x = k % Columns;
    bool const inside = unsigned(y - top) < unsigned(bottom - top) && unsigned(x - left) < unsigned(right - left);
    copy_element(to + y * pitch + x, inside ? corner + y * stride + x : from, inside);
  }
}

}  // namespace dolmen::cuda::impl
