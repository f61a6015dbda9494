// Rows that are read once, kept in registers while their sums are taken, and written once: what softmax and the norms share.
// A row belongs to a part of a warp, a block, or a cluster of blocks, by its width; still longer rows are cut into pieces and
// read twice.
#pragma once

#include <cooperative_groups.h>

#include "../../algorithms/rows.hpp"
#include "backend.hpp"
#include "cluster.cuh"
#include "launch.cuh"
#include "words.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::compute_t;
using dolmen::detail::row_plan;

template <class T>
struct alignas(16) vector {
  static constexpr int size = 16 / sizeof(T);
  T values[size];
};

struct adding {
  template <class C>
  __device__ C operator()(C a, C b) const {
    return a + b;
  }
};
/// A number rather than NaN: where there is a NaN, the sums tell.
struct larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
  __device__ double operator()(double a, double b) const { return fmax(a, b); }
};

/// The threads that share a row. A reduction gives all of them the same bits. So many may be made: each has its own slots, so that
/// none waits for the readers of another.
template <class C, int Threads, bool Cluster>
class row_team {
 public:
  static constexpr int reductions = 7, slots = 33;  // of the block's warps, and of the block
  __device__ explicit row_team(C (*shared)[slots], int made = 0) : shared_(shared), turn_(made) {}

  template <class Op>
  __device__ C reduce(C x, Op op) {
    x = across<(Threads < 32 ? Threads : 32)>(x, op);
    if constexpr (Threads > 32) {
      constexpr int warps = Threads / 32;
      int const lane = int(threadIdx.x) % 32;
      if (lane == 0) shared_[turn_][threadIdx.x / 32] = x;
      __syncthreads();
      x = across<warps>(shared_[turn_][lane % warps], op);
    }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if constexpr (Cluster) {
      auto const cluster = cooperative_groups::this_cluster();
      if (threadIdx.x == 0) shared_[turn_][32] = x;
      cluster.sync();
      int const blocks = int(cluster.num_blocks());  // a power of two
      x = *cluster.map_shared_rank(&shared_[turn_][32], int(threadIdx.x) % 32 % blocks);
      for (int k = blocks / 2; k > 0; k /= 2) x = op(x, __shfl_xor_sync(0xffffffffu, x, k));
    }
#endif
    ++turn_;
    return x;
  }
  __device__ C sum(C x) { return reduce(x, adding()); }
  /// Two sums that meet at once.
  __device__ void sum_both(C& x, C& y) {
    x = across<(Threads < 32 ? Threads : 32)>(x, adding()), y = across<(Threads < 32 ? Threads : 32)>(y, adding());
    if constexpr (Threads > 32) {
      constexpr int warps = Threads / 32;
      int const lane = int(threadIdx.x) % 32;
      if (lane == 0) shared_[turn_][threadIdx.x / 32] = x, shared_[turn_ + 1][threadIdx.x / 32] = y;
      __syncthreads();
      x = across<warps>(shared_[turn_][lane % warps], adding()), y = across<warps>(shared_[turn_ + 1][lane % warps], adding());
    }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if constexpr (Cluster) {
      auto const cluster = cooperative_groups::this_cluster();
      if (threadIdx.x == 0) shared_[turn_][32] = x, shared_[turn_ + 1][32] = y;
      cluster.sync();
      int const blocks = int(cluster.num_blocks()), other = int(threadIdx.x) % 32 % blocks;
      x = *cluster.map_shared_rank(&shared_[turn_][32], other);
      y = *cluster.map_shared_rank(&shared_[turn_ + 1][32], other);
      for (int k = blocks / 2; k > 0; k /= 2) x += __shfl_xor_sync(0xffffffffu, x, k), y += __shfl_xor_sync(0xffffffffu, y, k);
    }
#endif
    turn_ += 2;
  }
  __device__ C most(C x) { return reduce(x, larger()); }

 private:
  template <int Lanes, class Op>
  static __device__ C across(C x, Op op) {
#pragma unroll
    for (int k = Lanes / 2; k > 0; k /= 2) x = op(x, __shfl_xor_sync(0xffffffffu, x, k));
    return x;
  }

  C (*shared_)[slots];
  int turn_;
};

/// A thread's elements of a row: vectors that start at addresses of 16 bytes, the first of them up to `shift` elements before
/// the row. What is no element is the padding.
template <class T, int N>
struct held {
  static constexpr int per_vector = vector<T>::size;
  vector<T> vectors[N];
  int first, step, width;  // the first vector's column, the distance to the next, the row's columns

  __device__ int column(int i) const { return first + i * step; }
  __device__ bool whole(int i) const { return column(i) >= 0 && column(i) + per_vector <= width; }
  __device__ bool inside(int i, int j) const { return unsigned(column(i) + j) < unsigned(width); }

  /// Thread `rank` of `threads`.
  __device__ held(T const* in, int columns, int rank, int threads, T padding)
      : first(rank * per_vector - shift(in)), step(threads * per_vector), width(columns) {
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (whole(i)) {
        vectors[i] = *reinterpret_cast<vector<T> const*>(in + column(i));
      } else {
#pragma unroll
        for (int j = 0; j < per_vector; ++j) vectors[i].values[j] = inside(i, j) ? in[column(i) + j] : padding;
      }
    }
  }

  /// body(value, whether it is an element)
  template <class Body>
  __device__ void each(Body body) const {
#pragma unroll
    for (int i = 0; i < N; ++i)
#pragma unroll
      for (int j = 0; j < per_vector; ++j) body(compute_t<T>(vectors[i].values[j]), inside(i, j));
  }

  /// What the work makes of the elements, to the same columns of `out`.
  template <class Work, class State>
  __device__ void write(T* out, Work const& work, State const& state, index_t columns_before) const {
    bool const alike = shift(out) == (per_vector - first % per_vector) % per_vector;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (column(i) >= width) break;
      auto const weights = work.weights_at(columns_before, column(i), whole(i), width);
      vector<T> result;
#pragma unroll
      for (int j = 0; j < per_vector; ++j) result.values[j] = T(work.apply(compute_t<T>(vectors[i].values[j]), state, weights, j));
      if (alike && whole(i)) {
        impl::store_whole(out + column(i), result);
      } else {
#pragma unroll
        for (int j = 0; j < per_vector; ++j)
          if (inside(i, j)) out[column(i) + j] = result.values[j];
      }
    }
  }

  /// Elements from the last address of 16 bytes to this one.
  static __device__ int shift(T const* p) { return int(reinterpret_cast<std::uintptr_t>(p) % 16 / sizeof(T)); }
};

/// A row's elements in memory, for what is done so seldom that it must not cost registers.
template <class T>
struct in_memory {
  T const* row;
  int width, first, step;

  template <class Body>
  __device__ void each(Body body) const {
    for (int i = first; i < width; i += step) body(compute_t<T>(row[i]), true);
  }
};

constexpr int measures = 3;  // reductions of a first measure
template <class T, class Work, class Team>
__device__ __noinline__ typename Work::state measure_again(in_memory<T> x, Work work, compute_t<T> (*shared)[Team::slots]) {
  Team team(shared, measures);
  return work.measure_again(x, x.width, team);
}
template <class T, class Work, class Team>
__device__ __noinline__ void repeat_row(in_memory<T> x, T* out, Work work, compute_t<T> (*shared)[Team::slots], index_t columns) {
  Team team(shared, measures);
  auto const state = work.finish(work.measure_again(x, x.width, team), columns);
  for (int i = x.first; i < x.width; i += x.step)
    out[i] = T(work.apply(compute_t<T>(x.row[i]), state, work.weights_at(0, i, false, x.width), 0));
}

constexpr int small_block = 128;  // threads of a block that has several rows

// `Work` has
//   state                                     of numbers
//   T padding()
//   state measure(held, columns, team)        what a row or a piece of one is known by, by up to `measures` reductions
//   bool may_repeat, repeats(state, columns)  whether that may be, and is, of no use; then
//   state measure_again(elements, columns, team)
//   state gather(states, pieces, length of a piece, columns, team)
//   state finish(state, columns)              what elements are computed with
//   weights_at(columns before, column, whole, columns), apply(element, state, weights, number in the vector)

template <class T, class Work, int Threads, int N, bool Cluster>
__global__ void __launch_bounds__(Threads <= 32 ? small_block : Threads, Threads == 512 ? 2 : 1)
    rows_in_registers(row_plan<T> const p, Work const work, index_t first_row) {
  using C = compute_t<T>;
  using group = row_team<C, Threads, Cluster>;
  __shared__ C shared[group::reductions][group::slots];
  int blocks = 1, rank = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if constexpr (Cluster) {
    auto const cluster = cooperative_groups::this_cluster();
    blocks = int(cluster.num_blocks());
    rank = int(cluster.block_rank());
  }
#endif
  constexpr int rows = Threads <= 32 ? small_block / Threads : 1;
  index_t const row = first_row + index_t(blockIdx.x / unsigned(blocks)) * rows + int(threadIdx.x) / Threads;
  bool const exists = row < p.count();  // those of a warp that have no row take part in its reductions
  index_t const there = exists ? row : 0;
  int const columns = exists ? int(p.width) : 0;
  held<T, N> const x(p.in_at(there), columns, rank * Threads + int(threadIdx.x) % Threads, blocks * Threads, work.padding());
  group team(shared);
  auto const measured = work.measure(x, columns, team);
  if constexpr (Work::may_repeat) {
    bool const repeats = work.repeats(measured, columns);  // the same for all that share the row
    if (Threads < 32 ? __any_sync(0xffffffffu, repeats) : repeats) {
      in_memory<T> const again{p.in_at(there), columns, rank * Threads + int(threadIdx.x) % Threads, blocks * Threads};
      repeat_row<T, Work, group>(again, p.out_at(there), work, shared, p.width);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
      if constexpr (Cluster) cooperative_groups::this_cluster().sync();  // others may still read this block's slots
#endif
      return;
    }
  }
  auto const state = work.finish(measured, p.width);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if constexpr (Cluster) cooperative_groups::this_cluster().barrier_arrive();
#endif
  x.write(p.out_at(there), work, state, 0);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if constexpr (Cluster) cooperative_groups::this_cluster().barrier_wait();  // others may still read this block's slots
#endif
}

constexpr int piece_threads = 512, piece_vectors = 8;
/// Elements of a piece: one vector less than the registers hold, as it may start between vectors.
template <class T>
constexpr index_t piece_length = (index_t(piece_threads) * piece_vectors - 1) * vector<T>::size;

template <class T, class Work>
__global__ void __launch_bounds__(piece_threads, 2)
    measure_pieces(row_plan<T> const p, Work const work, typename Work::state* states, index_t pieces, index_t first_piece) {
  using group = row_team<compute_t<T>, piece_threads, false>;
  __shared__ compute_t<T> shared[group::reductions][group::slots];
  index_t const piece = first_piece + blockIdx.x, before = piece % pieces * piece_length<T>;
  int const columns = int(min(piece_length<T>, p.width - before));
  held<T, piece_vectors> const x(p.in_at(piece / pieces) + before, columns, int(threadIdx.x), piece_threads, work.padding());
  group team(shared);
  auto state = work.measure(x, columns, team);
  if constexpr (Work::may_repeat)
    if (work.repeats(state, columns))
      state = measure_again<T, Work, group>({p.in_at(piece / pieces) + before, columns, int(threadIdx.x), piece_threads}, work, shared);
  if (threadIdx.x == 0) states[piece] = state;
}

template <class T, class Work>
__global__ void __launch_bounds__(piece_threads, 2)
    write_pieces(row_plan<T> const p, Work const work, typename Work::state const* states, index_t pieces, index_t first_piece) {
  using group = row_team<compute_t<T>, piece_threads, false>;
  __shared__ compute_t<T> shared[group::reductions][group::slots];
  index_t const piece = first_piece + blockIdx.x, row = piece / pieces, before = piece % pieces * piece_length<T>;
  int const columns = int(min(piece_length<T>, p.width - before));
  held<T, piece_vectors> const x(p.in_at(row) + before, columns, int(threadIdx.x), piece_threads, work.padding());
  group team(shared);
  auto const state = work.finish(work.gather(states + row * pieces, pieces, piece_length<T>, p.width, team), p.width);
  x.write(p.out_at(row) + before, work, state, before);
}

/// launch(first, count) for at most that many of n at a time.
template <class Launch>
void in_grids(index_t n, index_t most, Launch launch) {
  for (index_t first = 0; first < n; first += most) launch(first, min(n - first, most));
}

template <class T, class Work, int Threads, int N, bool Cluster = false>
void launch_registers(stream const& s, char const* name, row_plan<T> const& p, Work const& work, source_location where, int cluster = 1) {
  constexpr index_t rows = Threads <= 32 ? small_block / Threads : 1;
  in_grids(p.count(), index_t(0x7fffffff) / cluster * rows, [&](index_t first, index_t count) {
    auto config = impl::configuration(s, dim3(unsigned(ceil_div(count, rows) * cluster)), dim3(Threads <= 32 ? small_block : Threads), 0);
    auto together = impl::cluster_of(cluster);
    if (Cluster) {
      config.attrs = &together;
      config.numAttrs = 1;
    }
    impl::launch_configured(s, name, config, where, rows_in_registers<T, Work, Threads, N, Cluster>, p, work, first);
  });
}

template <class T, class Work>
void launch_pieces(stream const& s, char const* name, row_plan<T> const& p, Work const& work, source_location where) {
  index_t const pieces = ceil_div(p.width, piece_length<T>);
  buffer<typename Work::state, backend> states(s, p.count() * pieces, memory::pooled, where);
  in_grids(p.count() * pieces, 0x7fffffff, [&](index_t first, index_t count) {
    impl::launch_native(s, name, unsigned(count), piece_threads, 0, where, measure_pieces<T, Work>, p, work, states.data(), pieces, first);
  });
  in_grids(p.count() * pieces, 0x7fffffff, [&](index_t first, index_t count) {
    impl::launch_native(s, name, unsigned(count), piece_threads, 0, where, write_pieces<T, Work>, p, work, states.data(), pieces, first);
  });
}

/// Threads per row and vectors per thread by the row's width: 64 bytes per thread where there are few, so that many loads are
/// under way, and never more than 32 registers full.
template <class T, class Work>
void launch_rows(stream const& s, char const* name, row_plan<T> const& p, Work const& work, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  constexpr index_t per_vector = vector<T>::size;
  bool const aligned =
      (reinterpret_cast<std::uintptr_t>(p.in) | std::uintptr_t(p.in_plane * sizeof(T)) | std::uintptr_t(p.in_row * sizeof(T))) % 16 == 0;
  index_t const vectors = ceil_div(p.width + (aligned ? 0 : per_vector - 1), per_vector);
  if (vectors <= 8) return launch_registers<T, Work, 8, 1>(s, name, p, work, where);
  if (vectors <= 32) return launch_registers<T, Work, 8, 4>(s, name, p, work, where);
  if (vectors <= 64) return launch_registers<T, Work, 16, 4>(s, name, p, work, where);
  if (vectors <= 128) return launch_registers<T, Work, 32, 4>(s, name, p, work, where);
  if (vectors <= 256) return launch_registers<T, Work, 32, 8>(s, name, p, work, where);
  if (vectors <= 512) return launch_registers<T, Work, 128, 4>(s, name, p, work, where);
  if (vectors <= 1024) return launch_registers<T, Work, 256, 4>(s, name, p, work, where);
  if (vectors <= 2048) return launch_registers<T, Work, 256, 8>(s, name, p, work, where);
  if (vectors <= 4096) return launch_registers<T, Work, 512, 8>(s, name, p, work, where);
  if (impl::has_clusters<this_file>(s, where) && vectors <= 65536) {
    if (vectors > 32768) return launch_registers<T, Work, 1024, 8, true>(s, name, p, work, where, 8);
    return launch_registers<T, Work, 512, 8, true>(s, name, p, work, where, vectors <= 8192 ? 2 : vectors <= 16384 ? 4 : 8);
  }
  if (vectors <= 8192) return launch_registers<T, Work, 1024, 8>(s, name, p, work, where);
  launch_pieces<T, Work>(s, name, p, work, where);
}

}  // namespace
}  // namespace dolmen::cuda
