// select and compact of dense arrays by a ring of tiles, see ring.cuh.
#pragma once

#include "../../algorithms/select.hpp"
#include "ring.cuh"
#include "vectors.cuh"

namespace dolmen::cuda::impl {

/// A warp gathers what it keeps at the begin of its own part of the tile in shared memory, so that warps do not wait for each other,
/// and writes it from there, neighbours by neighbouring lanes. Elements are 1, 2, 4, 8 or 16 bytes wide.
template <class T, class Keep>
struct ring_select {
  static constexpr int width = int(sizeof(T)), elements = 16 / width, row = 32 * elements;
  static constexpr int warps = 16, rows = Keep::by_flags && width == 1 ? 2 : 4, tile = warps * rows * row;
  static constexpr int arrays = Keep::by_flags ? 2 : 1, element_bytes[2] = {width, 1};
  using value = unsigned;
  using before = unsigned long long;

  dolmen::detail::select_plan<T> plan;
  Keep keep;

  static __device__ __forceinline__ before first() { return 0; }
  static __device__ __forceinline__ value join(value a, value b) { return a + b; }
  static __device__ __forceinline__ before join(before a, value b) { return a + b; }
  __device__ __forceinline__ int count(index_t t) const { return int(min(plan.size() - t * tile, index_t(tile))); }
  __device__ __forceinline__ ring_piece pieces(index_t t, int array) const {
    index_t const left = plan.size() - t * tile;
    int const bytes = array == 0 ? width : 1;
    auto const* from = array == 0 ? reinterpret_cast<unsigned char const*>(plan.in) : plan.flags;
    return {from + t * tile * bytes, int(min(left, index_t(tile))) * bytes, left >= tile + 16};
  }
  __device__ __forceinline__ void told(index_t t, before start, raw<value> const* of_warps) const {
    if (t != (plan.size() - 1) / tile) return;
    for (int w = 0; w < warps; ++w) start += of_warps[w].get();
    *plan.count = index_t(start);
  }

  /// A lane's vector of a row, and which of its elements are kept, as bits.
  template <bool Full>
  __device__ __forceinline__ unsigned load(unsigned char* const* arrays_of, int at, int count, vector_of<T, elements>& v) const {
    T const* const from = reinterpret_cast<T const*>(arrays_of[0]) + at;
    int const there = Full ? elements : count - at;
    if (!Full && there <= 0) return 0;
    if (Full && shared_address(from) % 16 == 0) {
      uint4 const w = load_shared(from);
      memcpy(v.value, &w, 16);
    } else {
      load_vector(from, v, there);
    }
    vector_of<unsigned char, Keep::by_flags ? elements : 1> flags;
    if constexpr (Keep::by_flags) load_vector(arrays_of[1] + at, flags, there);
    unsigned kept = 0;
#pragma unroll
    for (int e = 0; e < elements; ++e)
      if ((Full || e < there) && keep(v.value[e], flags.value[Keep::by_flags ? e : 0])) kept |= 1u << e;
    return kept;
  }
  template <bool Full>
  __device__ __forceinline__ value reduce(unsigned char* const* arrays_of, int count) const {
    int const first = int(threadIdx.x) / 32 * rows * row + lane() * elements;
    unsigned n = 0;
    vector_of<T, elements> v;
#pragma unroll
    for (int r = 0; r < rows; ++r) n += unsigned(__popc(load<Full>(arrays_of, first + r * row, count, v)));
    return __reduce_add_sync(~0u, n);
  }
  template <bool Full>
  __device__ __forceinline__ void finish(unsigned char* const* arrays_of, int count, index_t, before start,
                                         raw<value> const* of_warps) const {
    int const me = lane(), warp = int(threadIdx.x) / 32, first = warp * rows * row;
    for (int w = 0; w < warp; ++w) start += of_warps[w].get();
    T* const gathered = reinterpret_cast<T*>(arrays_of[0]) + first;
    unsigned const lower = (1u << me) - 1;
    int n = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      vector_of<T, elements> v;
      unsigned const kept = load<Full>(arrays_of, first + r * row + me * elements, count, v);
      unsigned place = 0, of_row = 0;  // before this lane; of all lanes
      if constexpr (elements <= 4) {
#pragma unroll
        for (int e = 0; e < elements; ++e) {
          unsigned const all = __ballot_sync(~0u, kept >> e & 1);
          place += unsigned(__popc(all & lower));
          of_row += unsigned(__popc(all));
        }
      } else {
        unsigned sum = unsigned(__popc(kept));
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
          unsigned const other = __shfl_up_sync(~0u, sum, unsigned(d));
          if (unrelated(me) >= d) sum += other;
        }
        place = sum - unsigned(__popc(kept));
        of_row = __shfl_sync(~0u, sum, 31);
      }
      __syncwarp();  // all have read the row: what is kept goes to places of this row and those before
      T* to = gathered + n + place;
#pragma unroll
      for (int e = 0; e < elements; ++e)
        if (kept >> e & 1) *to++ = v.value[e];
      n += int(of_row);
    }
    __syncwarp();
    write(gathered, index_t(start), int(min(index_t(n), max(plan.room - index_t(start), index_t(0)))));
    fence_bulk();
  }
  __device__ __forceinline__ void write(T const* gathered, index_t place, int n) const {
    T* const to = plan.out + place;
    if constexpr (width >= 4) {
      for (int i = lane(); i < n; i += 32) to[i] = gathered[i];
    } else if (width > 1 && reinterpret_cast<std::uintptr_t>(to) % width != 0) {  // records of bytes: no word begins with one
      for (int i = lane(); i < n; i += 32) to[i] = gathered[i];
    } else {
      // Words of four bytes, each put together from two of shared memory.
      constexpr int per_word = 4 / width;
      int const head = min(n, int((4 - reinterpret_cast<std::uintptr_t>(to) % 4) % 4) / width), words = (n - head) / per_word;
      if (lane() < head) to[lane()] = gathered[lane()];
      auto const from = reinterpret_cast<std::uintptr_t>(gathered + head);
      auto const* const source = reinterpret_cast<unsigned const*>(from / 4 * 4);
      auto* const target = reinterpret_cast<unsigned*>(to + head);
      for (int i = lane(); i < words; i += 32) target[i] = __funnelshift_r(source[i], source[i + 1], unsigned(from % 4) * 8);
      if (int const i = head + words * per_word + lane(); i < n) to[i] = gathered[i];
    }
  }
};

}  // namespace dolmen::cuda::impl
