// The block on a GPU: a phase is its body, run by every thread.
#pragma once

#include <bit>

#include "../../core/block.hpp"
#include "atomic.cuh"
#include "copies.cuh"
#include "grid_barrier.cuh"
#include "warp.cuh"

namespace dolmen::cuda {

template <class Shape>
class block {
 public:
  using shape = Shape;
  static constexpr int size = Shape::size, warps = dolmen::detail::warps_of(size);
  block_index index, grid;
  template <class Spec>
  using fragment = cuda::fragment<Spec>;

  __device__ __forceinline__ block(block_index index, block_index grid, grid_barrier all = {}) : index(index), grid(grid), all_(all) {}

  __device__ __forceinline__ index_t first_index() const { return index_t(index.x) * size; }

  template <class Body>
  __device__ __forceinline__ void each_thread(Body&& body) const {
    dolmen::detail::check_phase<Body, thread>();
    body(self());
  }
  template <std::integral Count, class Body>
  __device__ __forceinline__ void each_thread(Count active, Body&& body) const {
    dolmen::detail::check_phase<Body, thread>();
    using compared = std::conditional_t<std::is_signed_v<Count> && sizeof(Count) <= sizeof(int), int, index_t>;
    thread const t = self();
    if (t.rank < compared(active)) body(t);
  }

  template <class Body>
  __device__ __forceinline__ void each_index(int count, Body&& body) const {
    dolmen::detail::check_index_phase<Body>();
    thread const t = self();
    for (int i = t.rank; i < count; i += size) impl::call_at(body, i, t);
  }
  template <class Body>
  __device__ __forceinline__ void each_index(int rows, int columns, Body&& body) const {
    dolmen::detail::check_phase<Body, int, int>();
    thread const t = self();
    for (int y = t.z * Shape::y + t.y; y < rows; y += Shape::y * Shape::z)
      for (int x = t.x; x < columns; x += Shape::x) body(y, x);
  }
  template <class Body>
  __device__ __forceinline__ void each_index(int planes, int rows, int columns, Body&& body) const {
    dolmen::detail::check_phase<Body, int, int, int>();
    thread const t = self();
    for (int z = t.z; z < planes; z += Shape::z)
      for (int y = t.y; y < rows; y += Shape::y)
        for (int x = t.x; x < columns; x += Shape::x) body(z, y, x);
  }

  // Known extents: loops that unroll, and one condition per element at most, so that all loads can be issued before the
  // first is used. (Nested conditions became branches: 5% of a stencil.)
  template <int Count, class Body>
  __device__ __forceinline__ void each_index(fixed<Count>, Body&& body) const {
    dolmen::detail::check_index_phase<Body>();
    thread const t = self();
#pragma unroll
    for (int i = 0; i < ceil_div(Count, size); ++i)
      if (int const x = t.rank + i * size; within<Count, size>(i, x)) impl::call_at(body, x, t);
  }
  template <int Rows, int Columns, class Body>
  __device__ __forceinline__ void each_index(fixed<Rows, Columns>, Body&& body) const {
    dolmen::detail::check_phase<Body, int, int>();
    constexpr int height = Shape::y * Shape::z;
    thread const t = self();
    int const y0 = t.z * Shape::y + t.y;
#pragma unroll
    for (int i = 0; i < ceil_div(Rows, height); ++i)
#pragma unroll
      for (int j = 0; j < ceil_div(Columns, Shape::x); ++j) {
        int const y = y0 + i * height, x = t.x + j * Shape::x;
        if (within<Rows, height>(i, y) && within<Columns, Shape::x>(j, x)) body(y, x);
      }
  }
  template <int Planes, int Rows, int Columns, class Body>
  __device__ __forceinline__ void each_index(fixed<Planes, Rows, Columns>, Body&& body) const {
    dolmen::detail::check_phase<Body, int, int, int>();
    thread const t = self();
#pragma unroll
    for (int h = 0; h < ceil_div(Planes, Shape::z); ++h)
#pragma unroll
      for (int i = 0; i < ceil_div(Rows, Shape::y); ++i)
#pragma unroll
        for (int j = 0; j < ceil_div(Columns, Shape::x); ++j) {
          int const z = t.z + h * Shape::z, y = t.y + i * Shape::y, x = t.x + j * Shape::x;
          if (within<Planes, Shape::z>(h, z) && within<Rows, Shape::y>(i, y) && within<Columns, Shape::x>(j, x)) body(z, y, x);
        }
  }

  __device__ __forceinline__ void sync() const { __syncthreads(); }
  __device__ __forceinline__ void grid_sync() const { all_.wait(self().rank == 0); }

  template <class T>
  __device__ __forceinline__ cuda::per_thread<T> per_thread(T initial) const {
    return cuda::per_thread<T>(initial);
  }

  template <class T>
  __device__ __forceinline__ per_group<T, warp_size> per_warp(T const& initial) const {
    return per_group<T, warp_size>(initial);
  }

  // --- warps ------------------------------------------------------------------------------------------------------------
  template <class Body>
  __device__ __forceinline__ void each_warp(Body&& body) const {
    dolmen::detail::check_warp_scope<Body, warp<Shape>>();
    warp<Shape> mine(self());
    body(mine);
  }

  template <class T, class Op = plus, int W = warp_size>
  __device__ __forceinline__ per_group<T, W> warp_reduce(cuda::per_thread<T> const& value, Op op = {}, lanes<W> = {}) const {
    return per_group<T, W>(impl::reduce_lanes<W>(value.own(), op, my_lanes()));
  }
  template <class T, class Op = plus, int W = warp_size>
  __device__ __forceinline__ cuda::per_thread<T> warp_inclusive_scan(cuda::per_thread<T> const& value, Op op = {}, lanes<W> w = {}) const {
    return mine().inclusive_scan(value, op, w);
  }
  template <class T, class Initial = T, class Op = plus, int W = warp_size>
  __device__ __forceinline__ cuda::per_thread<T> warp_exclusive_scan(cuda::per_thread<T> const& value, Initial initial, Op op = {},
                                                                     lanes<W> w = {}) const {
    return mine().exclusive_scan(value, initial, op, w);
  }
  template <class T, class Lane, int W = warp_size>
  __device__ __forceinline__ cuda::per_thread<T> warp_shuffle(cuda::per_thread<T> const& value, Lane const& lane, lanes<W> w = {}) const {
    return mine().shuffle(value, lane, w);
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ cuda::per_thread<T> warp_shuffle_up(cuda::per_thread<T> const& value, int n, lanes<W> w = {}) const {
    return mine().shuffle_up(value, n, w);
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ cuda::per_thread<T> warp_shuffle_down(cuda::per_thread<T> const& value, int n, lanes<W> w = {}) const {
    return mine().shuffle_down(value, n, w);
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ cuda::per_thread<T> warp_shuffle_xor(cuda::per_thread<T> const& value, int mask, lanes<W> w = {}) const {
    return mine().shuffle_xor(value, mask, w);
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_group<std::uint32_t, W> warp_ballot(cuda::per_thread<T> const& value, lanes<W> = {}) const {
    return per_group<std::uint32_t, W>(impl::ballot_lanes<W>(static_cast<bool>(value.own()), my_lanes()));
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_group<bool, W> warp_any(cuda::per_thread<T> const& value, lanes<W> = {}) const {
    return per_group<bool, W>(impl::ballot_lanes<W>(static_cast<bool>(value.own()), my_lanes()) != 0);
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_group<bool, W> warp_all(cuda::per_thread<T> const& value, lanes<W> = {}) const {
    return per_group<bool, W>(impl::ballot_lanes<W>(static_cast<bool>(value.own()), my_lanes()) == impl::existing_lanes<W>(my_lanes()));
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ cuda::per_thread<std::uint32_t> warp_match(cuda::per_thread<T> const& value, lanes<W> w = {}) const {
    return mine().match(value, w);
  }

  // --- the block --------------------------------------------------------------------------------------------------------
  // Each uses the one of two pieces of shared memory that the last one did not, so that a single barrier is enough: whoever
  // is past the barrier of one operation has read what the operation before it wrote.
  template <class T>
  __device__ __forceinline__ T uniform(cuda::per_thread<T> const& value, int rank = 0) {
    T* const slot = exchange<T>();
    if (self().rank == rank) *slot = value.own();
    __syncthreads();
    return *slot;
  }
  template <class T>
  __device__ __forceinline__ T broadcast(cuda::per_thread<T> const& value, int rank) {
    return uniform(value, rank);
  }
  template <class T, class Op = plus>
  __device__ __forceinline__ T reduce(cuda::per_thread<T> const& value, Op op = {}) {
    T const mine = impl::reduce_lanes<warp_size>(value.own(), op, my_lanes());
    if constexpr (warps == 1) {
      sync();
      return mine;
    } else {
      T* const partial = exchange<T>();
      if (self().lane == 0) partial[self().warp] = mine;
      __syncthreads();
      if constexpr (whole_warps) return reduce_partials(partial, op);
      if (self().warp == 0) {
        T const all = reduce_partials(partial, op);
        __syncwarp();
        if (self().lane == 0) partial[0] = all;
      }
      __syncthreads();
      return partial[0];
    }
  }
  template <class T, class Op = plus>
  __device__ __forceinline__ cuda::per_thread<T> inclusive_scan(cuda::per_thread<T> const& value, Op op = {}) {
    T const within = impl::scan_lanes<warp_size>(value.own(), op, my_lanes());
    if constexpr (warps == 1) {
      sync();
      return cuda::per_thread<T>(within);
    } else {
      auto const sums = scan_partials(within, op);
      T const base = sums(max(self().warp - 1, 0));
      return cuda::per_thread<T>(self().warp == 0 ? within : impl::combine(op, base, within));
    }
  }
  template <class T, class Initial = T, class Op = plus>
  __device__ __forceinline__ cuda::per_thread<T> exclusive_scan(cuda::per_thread<T> const& value, Initial initial, Op op = {}) {
    T total;
    return exclusive_scan(value, initial, op, total);
  }
  template <class T, class Initial = T, class Op>
  __device__ __forceinline__ cuda::per_thread<T> exclusive_scan(cuda::per_thread<T> const& value, Initial initial, Op op, T& total) {
    T const start = dolmen::detail::scan_start<T>(initial);
    T const within = impl::scan_lanes<warp_size>(value.own(), op, my_lanes());
    T base = start;
    if constexpr (warps == 1) {
      sync();
      total = impl::combine(op, start, impl::from_lane(within, size - 1, my_lanes()));
    } else {
      auto const sums = scan_partials(within, op);
      T const before = sums(max(self().warp - 1, 0));
      if (self().warp > 0) base = impl::combine(op, start, before);
      total = impl::combine(op, start, sums(warps - 1));
    }
    T const before = impl::from_up(within, 1, my_lanes());
    return cuda::per_thread<T>(self().lane == 0 ? base : impl::combine(op, base, before));
  }
  template <class T>
  __device__ __forceinline__ bool any(cuda::per_thread<T> const& value) const {
    return __syncthreads_or(static_cast<bool>(value.own())) != 0;
  }
  template <class T>
  __device__ __forceinline__ bool all(cuda::per_thread<T> const& value) const {
    return __syncthreads_and(static_cast<bool>(value.own())) != 0;
  }
  template <class T>
  __device__ __forceinline__ int count(cuda::per_thread<T> const& value) const {
    return __syncthreads_count(static_cast<bool>(value.own()));
  }

  // --- copies -----------------------------------------------------------------------------------------------------------
  template <class T, int R, int C, int Rows, int Columns, class E>
  __device__ __forceinline__ void copy_async(tile<T, R, C>& to, fixed<Rows, Columns>, view<E, 2> const& from, index_t row,
                                             index_t column) const {
    static_assert(Rows <= R && Columns <= C, "copy_async: the box is larger than the tile");
    dolmen::detail::check_copy<T, E, Columns, C>();
    using element = std::remove_const_t<E>;
    constexpr int n = dolmen::detail::elements_in<T, element>;
    impl::copy_box<Rows, Columns / n, size>(reinterpret_cast<element*>(to.elements), C / n, static_cast<element const*>(from.data()),
                                            from.stride(0), from.extent(0), from.extent(1), row, column / n, self().rank);
  }
  template <class T, int N, int Count, class E>
  __device__ __forceinline__ void copy_async(tile<T, N>& to, fixed<Count>, view<E, 1> const& from, index_t first) const {
    static_assert(Count <= N, "copy_async: the box is larger than the tile");
    dolmen::detail::check_copy<T, E, Count, N>();
    using element = std::remove_const_t<E>;
    constexpr int n = dolmen::detail::elements_in<T, element>;
    impl::copy_box<1, Count / n, size>(reinterpret_cast<element*>(to.elements), 0, static_cast<element const*>(from.data()), 0, 1,
                                       from.extent(0), 0, first / n, self().rank);
  }
  __device__ __forceinline__ void commit_copies() const { impl::commit_copies(); }
  __device__ __forceinline__ void wait_copies(int newest) const { impl::wait_copies(newest); }

  __device__ __forceinline__ index_t clock() const { return clock64(); }
  __device__ __forceinline__ index_t nanoseconds() const {
    unsigned long long time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return index_t(time);
  }

 private:
  // Sides of one thread are known to be 0: reading their index would cost registers and time in every kernel.
  static __device__ __forceinline__ thread self() {
    return dolmen::detail::thread_at<Shape>(Shape::x == 1 ? 0 : int(threadIdx.x), Shape::y == 1 ? 0 : int(threadIdx.y),
                                            Shape::z == 1 ? 0 : int(threadIdx.z));
  }
  static constexpr bool whole_warps = size % warp_size == 0;
  static __device__ __forceinline__ int my_lanes() { return warp<Shape>::lanes_of(whole_warps ? 0 : self().warp); }
  static __device__ __forceinline__ warp<Shape> mine() { return warp<Shape>(self()); }

  /// Shared memory for one value of T per warp, in which threads of different warps meet.
  template <class T>
  __device__ __forceinline__ T* exchange() {
    constexpr int room = sizeof(T) <= 16 ? 16 : sizeof(T);  // the same memory for all small types
    static_assert(alignof(T) <= 16);
    turn_ ^= 1;
    return reinterpret_cast<T*>(meeting_place<warps * room>(turn_));
  }
  template <int Bytes>
  static __device__ __forceinline__ unsigned char* meeting_place(int turn) {
    __shared__ alignas(16) unsigned char memory[2][Bytes];
    return memory[turn];
  }

  // The second step of reductions and scans: one value per warp, in the lanes of one warp. Every warp does it for itself if
  // it has lanes enough, else the first for all.
  static constexpr int partial_width = int(std::bit_ceil(unsigned(warps)));
  template <class T, class Op>
  __device__ __forceinline__ T reduce_partials(T const* partial, Op op) const {
    if constexpr (warps == partial_width && whole_warps) {
      return impl::reduce_lanes<partial_width>(partial[self().lane % warps], op, warp_size);
    } else {
      // Only the lanes that hold a partial take part in the tree.
      T value = partial[min(self().lane, warps - 1)];
      if constexpr (dolmen::detail::is_commutative<Op>) {
#pragma unroll
        for (int d = partial_width / 2; d > 0; d /= 2) {
          T const other = impl::from_down(value, d, warp_size);
          if (self().lane < d && self().lane + d < warps) value = impl::combine(op, value, other);
        }
      } else {
#pragma unroll
        for (int d = 1; d < partial_width; d *= 2) {
          T const other = impl::from_down(value, d, warp_size);
          if (self().lane % (2 * d) == 0 && self().lane + d < warps) value = impl::combine(op, value, other);
        }
      }
      return impl::from_lane(value, 0, warp_size);
    }
  }
  /// Lane w: the reduction of all warps up to w. Only the lanes that hold a partial take part.
  template <class T, class Op>
  __device__ __forceinline__ T scan_of_partials(T const* partial, Op op) const {
    T value = partial[min(self().lane, warps - 1)];
#pragma unroll
    for (int d = 1; d < partial_width; d *= 2) {
      T const other = impl::from_up(value, d, warp_size);
      if (self().lane >= d && self().lane < warps) value = impl::combine(op, other, value);
    }
    return value;
  }
  /// From each thread's scan within its warp: sums(w) is the reduction of all warps up to w, for a w that is the same for
  /// the caller's warp.
  template <class T, class Op>
  __device__ __forceinline__ auto scan_partials(T const& within, Op op) {
    T* const partial = exchange<T>();
    if (self().lane == my_lanes() - 1) partial[self().warp] = within;
    __syncthreads();
    if constexpr (whole_warps) {
      T const scanned = scan_of_partials(partial, op);
      return [scanned](int w) { return impl::from_lane(scanned, w, warp_size); };
    } else {
      if (self().warp == 0) {
        T const scanned = scan_of_partials(partial, op);
        __syncwarp();
        if (self().lane < warps) partial[self().lane] = scanned;
      }
      __syncthreads();
      return [partial](int w) { return partial[w]; };
    }
  }

  // Only the last step of the threads along a side can leave it.
  template <int Extent, int Threads>
  static __device__ __forceinline__ constexpr bool within(int step, int position) {
    return step < Extent / Threads || position < Extent;
  }

  grid_barrier all_;
  int turn_ = 0;
};

static_assert(block_like<block<block_shape<32, 8>>>);

}  // namespace dolmen::cuda
