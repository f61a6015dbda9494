// Single-pass scans for long lines (compute capability 9.0 and later): every multiprocessor keeps a ring of tiles in shared memory.
//
// Warps of a block have different jobs and meet only at barriers of the ring, so that loading, adding up, waiting for others and
// writing overlap: one warp loads tiles (bulk copies), one tells other blocks what a tile comes to, one looks back, and the
// others compute. A tile is loaded, reduced, told; `lag` tiles later, when all before it are known, it is read again from shared
// memory and written. Nothing is handed on from tile to tile: each block reads what every tile comes to, and joins groups of
// tiles by a tree of fixed shape, groups from left to right. So results have the same bits whatever the timing, and a tile is
// known to all one access after its own block has told it. (Decoupled look-back, see lookback.cuh, hands sums on instead, which
// takes a step for each group.)
//
// Nobody waits for a tile that no block holds: tiles are given out in order, and a block reduces all that it holds before it waits
// for those before the first of them.
#pragma once

#include "architecture.cuh"
#include "bulk.cuh"
#include "lookback.cuh"

namespace dolmen::cuda::impl {

/// Bytes of one tile in global memory. `beyond`: those up to the next multiple of 16 may be read too.
struct ring_piece {
  unsigned char const* from;
  int bytes;
  bool beyond;
};

/// What tiles tell: words as in mailbox, a line's one after the other. An even number of words per line: lanes read two at once.
struct ring_words {
  using word = unsigned long long;
  word* words = nullptr;  // null: every line is one tile
  index_t lines = 1, tiles = 1;

  static constexpr index_t first = 16;  // behind the counter of tiles, in a line of the cache of its own
  DOLMEN_FN index_t line_words(int width) const { return (tiles + 1) / 2 * 2 * width; }
  index_t size(int width) const { return first + lines * line_words(width); }
  __device__ __forceinline__ word* of_line(index_t line, int width) const { return words + first + line * line_words(width); }
  __device__ __forceinline__ index_t ticket() const { return index_t(atomicAdd(words, 1ull)); }
};

/// Work: what is done with tiles, a parameter of the kernel. It has
///   value, before      what a tile comes to, and what all before it come to: trivially copyable
///   tile, rows         elements of a tile; rows of 32 vectors of each warp
///   arrays             that are loaded, one or two; element_bytes[2]
///   first()            what comes before the first tile of a line
///   join(value, value), join(before, value)
///   count(tile), pieces(tile, k)
///   reduce<Full>(arrays of the tile, count)          in lane 0 of a computing warp at least
///   finish<Full>(arrays, count, tile, before, values of the tile's warps)
///   told(tile, before, values of the tile's warps)   by one thread
template <class Work>
struct ring_shape {
  // One warp looks back; two or three, which take turns, were no faster.
  static constexpr int warps = 16, lookers = 1, threads = (warps + 2 + lookers) * 32;
  static constexpr int arrays = Work::arrays;
  // An array begins anywhere between multiples of 16 bytes.
  static constexpr int second = Work::tile * Work::element_bytes[0] + 16;
  static constexpr int slot = second + (arrays == 1 ? 0 : Work::tile * Work::element_bytes[arrays - 1] + 16);
  static constexpr int most = 6 * (32768 + 16), fits = most / slot;
  static constexpr int stages = fits > 6 ? 6 : fits, lag = stages / 2;
  static_assert(arrays <= 2 && stages > lag);
  // Tiles of a group: those whose values a warp takes at once.
  static constexpr int width = mailbox<typename Work::value>::words, per_lane = width == 1 ? 4 : width == 2 ? 2 : 1, group = 32 * per_lane;
};

template <class T>
struct raw {
  alignas(alignof(T) < 8 ? 8 : alignof(T)) unsigned char bytes[sizeof(T)];
  __device__ __forceinline__ T get() const {
    T v;
    memcpy(&v, bytes, sizeof v);
    return v;
  }
  __device__ __forceinline__ void put(T const& v) { memcpy(bytes, &v, sizeof v); }
};

template <class Work, class Shape = ring_shape<Work>>
struct ring_control {
  arrival_barrier full[Shape::stages], reduced[Shape::stages], ready[Shape::stages], empty[Shape::stages];
  index_t tile[Shape::stages];                        // negative: there are no more
  int count[Shape::stages], shift[Shape::stages][2];  // its elements, and where between multiples of 16 bytes its arrays begin
  raw<typename Work::value> of_warp[Shape::stages][Shape::warps];
  raw<typename Work::before> before[Shape::stages];
};
template <class Work>
inline constexpr int ring_memory = ring_shape<Work>::stages* ring_shape<Work>::slot + int(sizeof(ring_control<Work>)) + 16;

/// What the first n of a group's tiles come to, for all lanes of a warp; waits until they are told. n is at least 1.
template <class Work>
__device__ __forceinline__ typename Work::value gather_group(Work const& work, ring_words::word const* line, index_t g, int n) {
  using shape = ring_shape<Work>;
  using value = typename Work::value;
  constexpr int L = shape::per_lane, W = shape::width, words = L * W;
  int const me = lane(), first = me * L;
  ring_words::word const* const from = line + (g * shape::group + first) * W;
  ring_words::word w[words];
  bool there = false;
  do {
    there = true;
    if constexpr (words % 2 == 0) {
#pragma unroll
      for (int k = 0; k < words; k += 2)
        if (first + k / W < n)
          asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                       : "=l"(w[k]), "=l"(w[k + 1])
                       : "l"(__cvta_generic_to_global(from + k))
                       : "memory");
    } else {
#pragma unroll
      for (int k = 0; k < words; ++k)
        if (first + k / W < n)
          asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(w[k]) : "l"(__cvta_generic_to_global(from + k)) : "memory");
    }
#pragma unroll
    for (int k = 0; k < words; ++k) there = there && (first + k / W >= n || w[k] >> 32 != 0);
  } while (!__all_sync(~0u, there));
  value all{};
#pragma unroll
  for (int i = 0; i < L; ++i) {
    unsigned part[W];
#pragma unroll
    for (int k = 0; k < W; ++k) part[k] = unsigned(w[i * W + k]);
    value v;
    memcpy(&v, part, sizeof v);
    if (first + i < n) all = i == 0 ? v : work.join(all, v);
  }
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    value const other = from_down(all, d, warp_size);
    if (unrelated(first) + d * L < n) all = work.join(all, other);
  }
  return from_lane(all, 0, warp_size);
}

template <class Work>
__global__ void __launch_bounds__(ring_shape<Work>::threads, 1) ring_tiles(__grid_constant__ Work const work, ring_words const words) {
#if __CUDA_ARCH__ >= 900
  using shape = ring_shape<Work>;
  using value = typename Work::value;
  using before = typename Work::before;
  extern __shared__ __align__(128) unsigned char slots[];
  auto& c = *reinterpret_cast<ring_control<Work>*>(slots + shape::stages * shape::slot);
  int const warp = int(threadIdx.x) / 32, me = lane();
  index_t const work_tiles = words.lines * words.tiles;
  if (threadIdx.x == 0) {
    for (int s = 0; s < shape::stages; ++s) {
      c.full[s].init(32);
      c.reduced[s].init(shape::warps);
      c.ready[s].init(1);
      c.empty[s].init(shape::warps + 1);
    }
    arrival_barrier::init_done();
  }
  __syncthreads();
  auto const forward = [](int& stage, int& parity, int by = 1) {
    if ((stage += by) >= shape::stages) stage -= shape::stages, parity ^= 1;
  };

  if (warp == shape::warps) {  // loads
    int s = 0, parity = 1, ended = 0;
    for (index_t k = 0;; ++k, forward(s, parity)) {
      if (k >= shape::stages) c.empty[s].wait(parity);
      index_t tile = index_t(blockIdx.x) + k * gridDim.x;
      if (words.words) {
        // At first one after the other, so that blocks take turns.
        if (k > 0 && k < shape::stages) c.full[k - 1].wait(0);
        if (me == 0) tile = words.ticket();
        tile = from_lane(tile, 0, warp_size);
      }
      bool const exists = tile < work_tiles;
      if (me == 0) {
        c.tile[s] = exists ? tile : -1;
        c.count[s] = exists ? work.count(tile) : 0;
      }
      if (!exists) {
        c.full[s].arrive();
        if (++ended == shape::lookers) break;  // each of them meets one
        continue;
      }
      int bulk_bytes[shape::arrays], expected = 0;
      bool tail = false;
#pragma unroll
      for (int a = 0; a < shape::arrays; ++a) {
        // From the multiple of 16 bytes before the piece to the one before or behind its end.
        ring_piece const p = work.pieces(tile, a);
        int const shift = int(reinterpret_cast<std::uintptr_t>(p.from) % 16), end = shift + p.bytes;
        int const bulk = p.beyond ? (end + 15) / 16 * 16 : end / 16 * 16;
        for (int i = max(bulk, shift) + me; i < end; i += 32)
          slots[s * shape::slot + (a == 0 ? 0 : shape::second) + i] = (p.from - shift)[i], tail = true;
        bulk_bytes[a] = bulk;
        if (me == 0) c.shift[s][a] = shift;
        expected += bulk;
      }
      if (tail) fence_bulk();
      // Each lane vouches for what it has written itself.
      if (me > 0 || expected == 0) {
        c.full[s].arrive();
      } else {
        c.full[s].arrive_expecting(expected);
#pragma unroll
        for (int a = 0; a < shape::arrays; ++a) {
          unsigned char const* const from = work.pieces(tile, a).from;
          if (bulk_bytes[a] > 0)
            bulk_load(slots + s * shape::slot + (a == 0 ? 0 : shape::second), from - reinterpret_cast<std::uintptr_t>(from) % 16,
                      bulk_bytes[a], c.full[s]);
        }
      }
      __syncwarp();
    }
  } else if (warp == shape::warps + 1) {  // tells what tiles come to
    int s = 0, parity = 0;
    for (;; forward(s, parity)) {
      c.full[s].wait(parity);
      index_t const tile = c.tile[s];
      if (tile < 0) break;
      c.reduced[s].wait(parity);
      index_t const line = words.lines == 1 ? 0 : tile / words.tiles, place = tile - line * words.tiles;
      if (me == 0) {
        if (place < words.tiles - 1) {  // the others are full, so that all warps have a value
          value total = c.of_warp[s][0].get();
#pragma unroll
          for (int w = 1; w < shape::warps; ++w) total = work.join(total, c.of_warp[s][w].get());
          mailbox<value>::put(words.of_line(line, shape::width) + place * shape::width, total);
        }
        c.empty[s].arrive();
      }
      __syncwarp();
    }
  } else if (warp >= shape::warps + 2) {  // look back, in turns if there are several
    int s = warp - shape::warps - 2, parity = 0;
    index_t line = -1, g = 0;
    before all = work.first();
    for (;; forward(s, parity, shape::lookers)) {
      c.full[s].wait(parity);
      index_t const tile = c.tile[s];
      if (tile < 0) break;
      index_t const of = words.lines == 1 ? 0 : tile / words.tiles, place = tile - of * words.tiles;
      if (of != line) line = of, g = 0, all = work.first();
      before mine = all;
      if (place > 0) {
        ring_words::word const* const from = words.of_line(line, shape::width);
        for (; g < place / shape::group; ++g) all = work.join(all, gather_group(work, from, g, shape::group));
        mine = all;
        if (int const n = int(place - g * shape::group); n > 0) mine = work.join(mine, gather_group(work, from, g, n));
      }
      c.reduced[s].wait(parity);
      if (me == 0) {
        c.before[s].put(mine);
        work.told(tile, mine, c.of_warp[s]);
        c.ready[s].arrive();
      }
      __syncwarp();
    }
  } else {
    auto const arrays_of = [&](int s) {
      struct {
        unsigned char* at[shape::arrays];
      } arrays;
#pragma unroll
      for (int a = 0; a < shape::arrays; ++a) arrays.at[a] = slots + s * shape::slot + (a == 0 ? 0 : shape::second) + c.shift[s][a];
      return arrays;
    };
    int s = 0, parity = 0, s_late = 0, parity_late = 0, behind = 0;
    bool more = true;
    for (;;) {
      if (more) {
        c.full[s].wait(parity);
        more = c.tile[s] >= 0;
        if (more) {
          int const count = c.count[s];
          auto const arrays = arrays_of(s);
          value const total =
              count == Work::tile ? work.template reduce<true>(arrays.at, count) : work.template reduce<false>(arrays.at, count);
          if (me == 0) {
            c.of_warp[s][warp].put(total);
            c.reduced[s].arrive();
          }
          ++behind;
          forward(s, parity);
        }
      }
      if (!more && behind == 0) break;
      if (more && behind <= shape::lag) continue;
      c.ready[s_late].wait(parity_late);
      index_t const tile = c.tile[s_late];
      int const count = c.count[s_late];
      before const start = c.before[s_late].get();
      auto const arrays = arrays_of(s_late);
      if (count == Work::tile)
        work.template finish<true>(arrays.at, count, tile, start, c.of_warp[s_late]);
      else
        work.template finish<false>(arrays.at, count, tile, start, c.of_warp[s_late]);
      __syncwarp();
      if (me == 0) c.empty[s_late].arrive();
      forward(s_late, parity_late);
      --behind;
    }
  }
#endif
}

/// Whether ring_tiles can run on the stream's device, as the code is built and with the shared memory that there is.
template <class Work, class File>
bool has_ring(stream const& s, source_location where) {
  static kept<int> known[64];  // 1: no, 2: yes
  kept<int>& here = known[s.device_index()];
  int answer = here.load();
  if (answer == 0) {
    int most = 0;
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, s.device_index()), "cudaDeviceGetAttribute", where);
    answer = built_architecture<File>(s.device_index(), where) >= 900 && most >= ring_memory<Work> ? 2 : 1;
    if (answer == 2)
      check(cudaFuncSetAttribute(ring_tiles<Work>, cudaFuncAttributeMaxDynamicSharedMemorySize, ring_memory<Work>), "cudaFuncSetAttribute",
            where);
    here.store(answer);
  }
  return answer == 2;
}

/// `lines` lines of `tiles` tiles each.
template <class Work>
void launch_ring(stream const& s, char const* name, Work const& work, index_t lines, index_t tiles, source_location where) {
  static kept<int> known[64];
  constexpr int width = ring_shape<Work>::width;
  ring_words words{nullptr, lines, tiles};
  unsigned const blocks = persistent_grid(s.device_index(), reinterpret_cast<void const*>(ring_tiles<Work>), ring_shape<Work>::threads,
                                          lines * tiles, known, where, ring_memory<Work>);
  if (tiles == 1) return launch_native(s, name, blocks, ring_shape<Work>::threads, ring_memory<Work>, where, ring_tiles<Work>, work, words);
  buffer<ring_words::word, backend> told(s, words.size(width), memory::pooled, where);
  words.words = told.data();
  check(cudaMemsetAsync(words.words, 0, std::size_t(told.size()) * sizeof(ring_words::word), s.native()), name, where);
  launch_native(s, name, blocks, ring_shape<Work>::threads, ring_memory<Work>, where, ring_tiles<Work>, work, words);
}

}  // namespace dolmen::cuda::impl
