// Neighbouring elements that a lane moves in one access where their address allows it.
#pragma once

#include "launch.cuh"
#include "words.cuh"

namespace dolmen::cuda::impl {

template <class T, int N>
struct vector_of {
  T value[N];
};

template <int Bytes>
using vector_word =
    std::conditional_t<Bytes == 16, uint4, std::conditional_t<Bytes == 8, uint2, std::conditional_t<Bytes == 4, unsigned, unsigned short>>>;

/// `there` of the N elements where not all exist.
template <class T, int N>
__device__ __forceinline__ void load_vector(T const* from, vector_of<T, N>& v, int there) {
  constexpr int bytes = int(sizeof(T)) * N;
  if constexpr (N > 1) {
    using word = vector_word<bytes>;
    if (there >= N && reinterpret_cast<std::uintptr_t>(from) % bytes == 0) {
      word const w = *reinterpret_cast<word const*>(from);
      memcpy(v.value, &w, bytes);
      return;
    }
  }
#pragma unroll
  for (int e = 0; e < N; ++e)
    if (e < there) v.value[e] = from[e];
}
template <class T, int N>
__device__ __forceinline__ void store_vector(T* to, vector_of<T, N> const& v, int there) {
  constexpr int bytes = int(sizeof(T)) * N;
  if constexpr (N > 1) {
    using word = vector_word<bytes>;
    if (there >= N && reinterpret_cast<std::uintptr_t>(to) % bytes == 0) {
      word w;
      memcpy(&w, v.value, bytes);
      store_word(reinterpret_cast<word*>(to), w);
      return;
    }
  }
#pragma unroll
  for (int e = 0; e < N; ++e)
    if (e < there) to[e] = v.value[e];
}

/// The element at a place of strided rows, counted row by row.
__device__ __forceinline__ index_t in_rows(index_t i, index_t const (&extent)[3], index_t const (&stride)[2]) {
  index_t const row = i / extent[2], column = i % extent[2];
  return row / extent[1] * stride[0] + row % extent[1] * stride[1] + column;
}

}  // namespace dolmen::cuda::impl
