// The body of select and compact: a scan of counts by look-back (lookback.cuh), and elements gathered in shared memory.
#pragma once

#include "lookback.cuh"
#include "select.hpp"
#include "select_ring.cuh"
#include "vectors.cuh"

namespace dolmen::cuda {

namespace impl {

template <bool Rows, class T>
struct select_shape {
  static constexpr int width = int(sizeof(T));
  static constexpr int elements = !Rows && width <= 16 && (width & (width - 1)) == 0 ? 16 / width : 1;
  static constexpr int threads = 256, warps = threads / 32, rows = width > 16 ? 1 : 4;
  static constexpr int row = 32 * elements, tile = warps * rows * row;
  static constexpr int min_blocks = width <= 16 ? 4 : 1;
};

/// Which of a tile's elements a predicate keeps.
template <class Predicate>
struct keep_by_predicate {
  static constexpr bool by_flags = false;
  Predicate predicate;
  template <class T>
  __device__ __forceinline__ bool operator()(T const& value, unsigned char) const {
    return static_cast<bool>(predicate(value));
  }
};
struct keep_by_flags {
  static constexpr bool by_flags = true;
  template <class T>
  __device__ __forceinline__ bool operator()(T const&, unsigned char flag) const {
    return flag != 0;
  }
};

template <bool Rows, class T, class Keep>
__global__ void __launch_bounds__(select_shape<Rows, T>::threads, select_shape<Rows, T>::min_blocks)
    select_tiles(dolmen::detail::select_plan<T> const plan, tile_words const words, Keep const keep) {
  using shape = select_shape<Rows, T>;
  using count_type = unsigned long long;
  constexpr int N = shape::elements, R = shape::rows;
  __shared__ alignas(16) unsigned char gathered_bytes[shape::tile * sizeof(T)];
  __shared__ unsigned warp_count[shape::warps];
  __shared__ count_type first_place;
  __shared__ index_t next_tile;
  T* const gathered = reinterpret_cast<T*>(gathered_bytes);
  index_t const n = plan.size(), tiles = words.tiles;
  int const me = lane(), warp = int(threadIdx.x) / 32, first = warp * R * shape::row + me * N;

  using vectors = vector_of<T, N>[R];
  using flag_vectors = vector_of<unsigned char, Keep::by_flags ? N : 1>[R];
  vectors v;
  flag_vectors flags;
  auto const load = [&](index_t tile) {
    index_t const begin = tile * shape::tile;
    int const count = int(min(n - begin, index_t(shape::tile)));
#pragma unroll
    for (int r = 0; r < R; ++r) {
      int const at = first + r * shape::row, there = count - at;
      if (there <= 0) continue;
      if constexpr (!Rows) {
        load_vector(plan.in + begin + at, v[r], there);
        if constexpr (Keep::by_flags) load_vector(plan.flags + begin + at, flags[r], there);
      } else {
        v[r].value[0] = plan.in[in_rows(begin + at, plan.extent, plan.in_stride)];
        if constexpr (Keep::by_flags) flags[r].value[0] = plan.flags[in_rows(begin + at, plan.extent, plan.flag_stride)];
      }
    }
  };
  // As in scan_tiles: the second number is taken when all blocks have had time to take their first.
  if (threadIdx.x == 0) next_tile = words.words ? words.ticket() : index_t(blockIdx.x);
  __syncthreads();
  index_t tile = next_tile, pending = -1;
  __syncthreads();  // all have it
  if (tile < tiles) load(tile);

  while (tile < tiles) {
    int const count = int(min(n - tile * shape::tile, index_t(shape::tile)));
    unsigned kept[R], places[R], warp_total = 0;  // bits of kept elements; the place of the lane's first in its warp
#pragma unroll
    for (int r = 0; r < R; ++r) {
      int const there = count - first - r * shape::row;
      kept[r] = 0;
#pragma unroll
      for (int e = 0; e < N; ++e)
        if (e < there && keep(v[r].value[e], flags[r].value[Keep::by_flags ? e : 0])) kept[r] |= 1u << e;
      unsigned sum = unsigned(__popc(kept[r]));
#pragma unroll
      for (int d = 1; d < 32; d *= 2) {
        unsigned const other = __shfl_up_sync(~0u, sum, unsigned(d));
        if (unrelated(me) >= d) sum += other;
      }
      places[r] = warp_total + sum - unsigned(__popc(kept[r]));
      warp_total += __shfl_sync(~0u, sum, 31);
    }
    if (me == 0) warp_count[warp] = warp_total;
    if (threadIdx.x == 0) {
      if (pending < 0) pending = words.words && tiles > gridDim.x ? words.ticket() : tiles;
      next_tile = pending;
    }
    __syncthreads();  // also: what the last tile gathered has been written

    index_t const next = next_tile;
    unsigned before = 0, total = 0;
#pragma unroll
    for (int w = 0; w < shape::warps; ++w) {
      unsigned const c = warp_count[w];
      if (w < warp) before += c;
      total += c;
    }
    if (warp == 0) tell_tile(words, 0, tile, count_type(total));
#pragma unroll
    for (int r = 0; r < R; ++r) {
      unsigned place = before + places[r];
#pragma unroll
      for (int e = 0; e < N; ++e)
        if (kept[r] >> e & 1) gathered[place++] = v[r].value[e];
    }
    if (next < tiles) load(next);
    if (warp == 0) {
      count_type place = 0;
      look_back(words, 0, tile, count_type(total), false, place, plus{});
      if (me == 0) {
        first_place = place;
        if (tile == tiles - 1) *plan.count = index_t(place + total);
      }
    }
    __syncthreads();

    if (threadIdx.x == 0 && next < tiles) pending = words.ticket();
    index_t const to = index_t(first_place);
    int const fits = int(min(index_t(total), max(plan.room - to, index_t(0))));
    for (int i = int(threadIdx.x); i < fits; i += shape::threads) plan.out[to + i] = gathered[i];
    tile = next;
  }
}

template <bool Rows, class T, class Keep, class File>
void select_by_tiles(stream const& s, char const* name, dolmen::detail::select_plan<T> const& plan, Keep keep, source_location where) {
  using shape = select_shape<Rows, T>;
  static kept<int> known[64];
  auto const kernel = select_tiles<Rows, T, Keep>;
  device_guard guard(s.device_index(), where);
  tile_words words(1, ceil_div(plan.size(), index_t(shape::tile)));
  if (words.tiles == 1) {
    return launch_native(s, name, 1, shape::threads, 0, where, kernel, plan, words, keep);
  }
  if constexpr (!Rows && shape::elements * shape::width == 16) {
    using ring = ring_select<T, Keep>;
    if (has_ring<ring, File>(s, where)) return launch_ring(s, name, ring{plan, keep}, 1, ceil_div(plan.size(), index_t(ring::tile)), where);
  }
  unsigned const blocks =
      persistent_grid(s.device_index(), reinterpret_cast<void const*>(kernel), shape::threads, words.tiles, known, where);
  tile_memory const memory(s, words, mailbox<unsigned long long>::words, where);
  launch_native(s, name, blocks, shape::threads, 0, where, kernel, plan, words, keep);
}

template <class T, class Keep, class File>
void select(stream const& s, char const* name, dolmen::detail::select_plan<T> const& plan, Keep keep, source_location where) {
  if (plan.one_row())
    select_by_tiles<false, T, Keep, File>(s, name, plan, keep, where);
  else
    select_by_tiles<true, T, Keep, File>(s, name, plan, keep, where);
}

}  // namespace impl

template <class T, class Predicate, class File>
void launch_select(stream const& s, dolmen::detail::select_plan<T> const& plan, Predicate predicate, source_location where) {
  impl::select<T, impl::keep_by_predicate<Predicate>, File>(s, "select", plan, {predicate}, where);
}

}  // namespace dolmen::cuda
