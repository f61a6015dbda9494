// The bodies of scans, for the library's own operators and for users'.
#pragma once

#include "lookback.cuh"
#include "scan.hpp"
#include "scan_ring.cuh"
#include "scan_rows.cuh"

namespace dolmen::cuda {

namespace impl {

/// A line is cut into tiles of `threads * rows` vectors of `elements`. A warp holds `rows` rows of 32 neighbouring vectors, one
/// per lane and row, so that loads and stores are 16 bytes wide and next to each other as they are: nothing goes through shared
/// memory. A vector is reduced by its lane, a row by shuffles, rows one after the other, then warps.
/// Elements of strided rows are moved one by one.
template <bool Rows, class In, class Out>
struct scan_shape {
  static constexpr int widest = int(sizeof(In) > sizeof(Out) ? sizeof(In) : sizeof(Out));
  static constexpr int elements = !Rows && widest <= 16 && (widest & (widest - 1)) == 0 ? 16 / widest : 1;
  static constexpr int threads = 256, warps = threads / 32, rows = 4;
  static constexpr int row = 32 * elements, tile = warps * rows * row;
  static constexpr int min_blocks = Rows ? 2 : widest <= 8 ? 3 : 1;
};

/// What the threads of a block share.
template <class Value, int Warps>
struct scan_shared {
  alignas(16) unsigned char warp[2][Warps][sizeof(Value)];  // of two tiles
  alignas(16) unsigned char before[sizeof(Value)];
  bool has_before;
  index_t next[2];

  static __device__ __forceinline__ Value get(unsigned char const (&from)[sizeof(Value)]) {
    Value v;
    memcpy(&v, from, sizeof v);
    return v;
  }
  static __device__ __forceinline__ void put(unsigned char (&to)[sizeof(Value)], Value const& v) { memcpy(to, &v, sizeof v); }
};

template <bool Rows, class In, class Out, class Value, class Op>
__global__ void __launch_bounds__(scan_shape<Rows, In, Out>::threads, scan_shape<Rows, In, Out>::min_blocks)
    scan_tiles(dolmen::detail::scan_plan<In, Out, Value> const plan, tile_words const words, Op const op) {
  using shape = scan_shape<Rows, In, Out>;
  using memory = scan_shared<Value, shape::warps>;
  __shared__ memory mem;
  index_t const length = plan.length(), tiles = words.tiles, work = words.lines * tiles;
  auto const line_of = [&](index_t tile) { return words.lines == 1 ? 0 : tile / tiles; };
  int const me = lane(), warp = int(threadIdx.x) / 32, first = warp * shape::rows * shape::row;

  using vectors = vector_of<In, shape::elements>[shape::rows];
  using sums = Value[shape::rows];
  auto const begin_of = [&](index_t tile) { return (tile - line_of(tile) * tiles) * shape::tile; };
  auto const count_of = [&](index_t tile) { return int(min(length - begin_of(tile), index_t(shape::tile))); };
  auto const load = [&](index_t tile, vectors& to) {
    index_t const begin = begin_of(tile);
    scan_line<Rows, In, Out, Value> const line(plan, line_of(tile));
    int const count = count_of(tile);
#pragma unroll
    for (int r = 0; r < shape::rows; ++r) {
      int const at = first + r * shape::row + me * shape::elements;
      if (at < count) line.load(op, begin + at, to[r], count - at);
    }
  };
  auto const reduce = [&](index_t tile, vectors const& from, sums& before, int half) {
    int const count = count_of(tile);
    Value total;
    if (count == shape::tile && !Rows)
      scan_rows<true, shape, Out>(from, first, count, op, before, total);
    else
      scan_rows<false, shape, Out>(from, first, count, op, before, total);
    if (me == 0) memory::put(mem.warp[half][warp], total);
  };
  auto const warps_of = [&](index_t tile) { return (count_of(tile) + shape::rows * shape::row - 1) / (shape::rows * shape::row); };
  // What the first `n` warps come to.
  auto const joined = [&](int half, int n) {
    Value value = memory::get(mem.warp[half][0]);
    for (int w = 1; w < n; ++w) value = combine(op, value, memory::get(mem.warp[half][w]));
    return value;
  };
  auto const tell = [&](index_t tile, int half) {
    Value const mine = joined(half, warps_of(tile));
    tell_tile(words, line_of(tile), tile - line_of(tile) * tiles, mine);
    return mine;
  };

  // A block holds two tiles: it tells what the later one comes to before it waits for those that come before the earlier one, so
  // that nobody has to wait long. Tiles come by number, so that those before a tile have begun.
  if (threadIdx.x == 0) {
    mem.next[0] = words.ticket();
    mem.next[1] = work > gridDim.x ? words.ticket() : work;
  }
  __syncthreads();
  index_t tile = mem.next[0], next = mem.next[1];
  if (tile >= work) return;
  vectors v, ahead;
  sums before, before_ahead;
  int half = 0;
  load(tile, v);
  reduce(tile, v, before, half);
  __syncthreads();
  Value mine{};
  if (warp == 0) mine = tell(tile, half);

  for (;;) {
    Value left{};  // the warps before this one; their memory is the next tile's after the coming barriers
    if (warp > 0) left = joined(half, min(warp, warps_of(tile)));
    if (next < work) {
      load(next, ahead);
      reduce(next, ahead, before_ahead, half ^ 1);
    }
    __syncthreads();
    if (warp == 0) {
      index_t after = next;
      if (me == 0 && next < work) after = words.ticket();
      Value mine_ahead{};
      if (next < work) mine_ahead = tell(next, half ^ 1);
      Value start = plan.initial;
      bool has = plan.exclusive;
      has = look_back(words, line_of(tile), tile - line_of(tile) * tiles, mine, has, start, op);
      mine = mine_ahead;
      if (me == 0) {
        memory::put(mem.before, start);
        mem.has_before = has;
        mem.next[0] = after;
      }
    }
    __syncthreads();

    int const count = count_of(tile);
    bool const has_before = mem.has_before, has_start = has_before || warp > 0;
    Value start = memory::get(mem.before);
    if (warp > 0) start = has_before ? Value(combine(op, start, left)) : left;
    index_t const after = mem.next[0], begin = begin_of(tile);
    scan_line<Rows, In, Out, Value> const line(plan, line_of(tile));
    if (count == shape::tile && !Rows)
      finish_rows<true, shape, Value, In, Out>(v, first, count, op, before, has_start, start, plan.exclusive, line, begin);
    else
      finish_rows<false, shape, Value, In, Out>(v, first, count, op, before, has_start, start, plan.exclusive, line, begin);
    if (next >= work) return;
    tile = next;
    next = after;
    half ^= 1;
#pragma unroll
    for (int r = 0; r < shape::rows; ++r) v[r] = ahead[r], before[r] = before_ahead[r];
  }
}

/// Lines of one tile, a block for each.
template <bool Rows, class In, class Out, class Value, class Op>
__global__ void __launch_bounds__(scan_shape<Rows, In, Out>::threads)
    scan_single(dolmen::detail::scan_plan<In, Out, Value> const plan, Op const op) {
  using shape = scan_shape<Rows, In, Out>;
  __shared__ raw<Value> of_warp[shape::warps];
  int const warp = int(threadIdx.x) / 32, first = warp * shape::rows * shape::row, count = int(plan.length());
  index_t const lines = plan.lines();
  for (index_t i = blockIdx.x; i < lines; i += gridDim.x) {
    scan_line<Rows, In, Out, Value> const line(plan, i);
    vector_of<In, shape::elements> v[shape::rows];
#pragma unroll
    for (int r = 0; r < shape::rows; ++r) {
      int const at = first + r * shape::row + lane() * shape::elements;
      if (at < count) line.load(op, at, v[r], count - at);
    }
    Value before[shape::rows], total{};
    scan_rows<false, shape, Out>(v, first, count, op, before, total);
    if (lane() == 0) of_warp[warp].put(total);
    __syncthreads();
    if (first < count) {
      Value start = plan.initial;
      bool has = plan.exclusive;
      for (int w = 0; w < warp; ++w) {
        start = has ? Value(combine(op, start, of_warp[w].get())) : of_warp[w].get();
        has = true;
      }
      finish_rows<false, shape, Value, In, Out>(v, first, count, op, before, has, start, plan.exclusive, line, 0);
    }
    __syncthreads();  // the next line's values go to the same places
  }
}

/// `width` lanes of a warp, a power of two, scan a line together, piece by piece.
template <class In, class Out, class Value, class Op>
__global__ void __launch_bounds__(256) scan_short(dolmen::detail::scan_plan<In, Out, Value> const plan, int const width, Op const op) {
  index_t const lines = plan.lines(), length = plan.length();
  int const me = int(threadIdx.x) % width, per_block = 256 / width;
  index_t const step = index_t(gridDim.x) * per_block;
  // All lanes of a warp take part in its shuffles, so they go round together.
  index_t const rounds = ceil_div(lines, step);
  for (index_t round = 0; round < rounds; ++round) {
    index_t const number = round * step + index_t(blockIdx.x) * per_block + int(threadIdx.x) / width;
    bool const exists = number < lines;
    scan_line<false, In, Out, Value> const line(plan, exists ? number : 0);
    Value before = plan.initial;
    bool has = plan.exclusive;
    for (index_t i = 0; i < length; i += width) {
      bool const there = exists && i + me < length;
      Value t{};
      if (there) t = static_cast<Value>(flipped_by(op, line.in[i + me]));
      for (int d = 1; d < width; d *= 2) {
        Value const other = move_words(t, [&](auto word) { return __shfl_up_sync(~0u, word, unsigned(d), width); });
        if (there && unrelated(me) >= d) t = combine(op, other, t);
      }
      Value const left = move_words(t, [&](auto word) { return __shfl_up_sync(~0u, word, 1, width); });
      int const last = int(min(index_t(width), length - i)) - 1;
      Value const all = move_words(t, [&](auto word) { return __shfl_sync(~0u, word, last, width); });
      if (there) {
        Value result;
        if (plan.exclusive)
          result = unrelated(me) > 0 ? Value(combine(op, before, left)) : before;
        else
          result = has ? Value(combine(op, before, t)) : t;
        line.out[i + me] = flipped_by(op, static_cast<Out>(result));
      }
      if (exists && i + width < length) before = has ? Value(combine(op, before, all)) : all;
      has = true;
    }
  }
}

template <bool Rows, class In, class Out, class Value, class Op, class File>
void scan_by_tiles(stream const& s, dolmen::detail::scan_plan<In, Out, Value> const& plan, Op op, source_location where) {
  using shape = scan_shape<Rows, In, Out>;
  index_t const lines = plan.lines(), length = plan.length();
  if (length <= shape::tile) {
    auto const blocks = unsigned(min(lines, index_t(1) << 20));
    return launch_native(s, "scan", blocks, shape::threads, 0, where, scan_single<Rows, In, Out, Value, Op>, plan, op);
  }
  if constexpr (!Rows && shape::elements * shape::widest == 16) {
    using ring = ring_scan<In, Out, Value, Op>;
    if (has_ring<ring, File>(s, where)) {
      index_t const tiles = ceil_div(length, index_t(ring::tile));
      return launch_ring(s, "scan", ring{plan, op, tiles}, lines, tiles, where);
    }
  }
  static kept<int> known[64];
  auto const kernel = scan_tiles<Rows, In, Out, Value, Op>;
  tile_words words(lines, ceil_div(length, index_t(shape::tile)));
  unsigned const blocks =
      persistent_grid(s.device_index(), reinterpret_cast<void const*>(kernel), shape::threads, words.lines * words.tiles, known, where);
  tile_memory const memory(s, words, mailbox<Value>::words, where);
  launch_native(s, "scan", blocks, shape::threads, 0, where, kernel, plan, words, op);
}

template <class In, class Out, class Value, class Op, class File>
void scan(stream const& s, dolmen::detail::scan_plan<In, Out, Value> const& plan, Op op, source_location where) {
  constexpr index_t short_line = 1024;  // lines up to here are scanned by one warp each
  device_guard guard(s.device_index(), where);
  index_t const lines = plan.lines(), length = plan.length();
  if (lines > 1 && length <= short_line) {
    int width = 1;
    while (width < 32 && width < length) width *= 2;
    auto const blocks = unsigned(min(ceil_div(lines, index_t(256 / width)), index_t(1) << 20));
    launch_native(s, "scan", blocks, 256, 0, where, scan_short<In, Out, Value, Op>, plan, width, op);
  } else if (plan.apart || plan.one_row()) {
    scan_by_tiles<false, In, Out, Value, Op, File>(s, plan, op, where);
  } else {
    scan_by_tiles<true, In, Out, Value, Op, File>(s, plan, op, where);
  }
}

}  // namespace impl

template <class T, class Op, class File>
void launch_scan_by(stream const& s, dolmen::detail::scan_plan<T, T, T> const& plan, Op op, source_location where) {
  impl::scan<T, T, T, Op, File>(s, plan, op, where);
}

}  // namespace dolmen::cuda
