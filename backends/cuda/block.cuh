// The block on a GPU: a phase is its body, run by every thread.
#pragma once

#include "../../core/block.hpp"
#include "grid_barrier.cuh"

namespace dolmen::cuda {

/// One value per thread: a register.
template <class T>
class per_thread {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  __device__ __forceinline__ explicit per_thread(T initial) : value_(initial) {}
  per_thread(per_thread const&) = delete;
  per_thread& operator=(per_thread const&) = delete;

  DOLMEN_INLINE_FN T& operator[](thread const&) { return value_; }
  DOLMEN_INLINE_FN T const& operator[](thread const&) const { return value_; }
  DOLMEN_INLINE_FN T const& own() const { return value_; }

 private:
  T value_;
};

template <class Shape>
class block {
 public:
  using shape = Shape;
  static constexpr int size = Shape::size;
  block_index index, grid;

  __device__ __forceinline__ block(block_index index, block_index grid, grid_barrier all = {}) : index(index), grid(grid), all_(all) {}

  __device__ __forceinline__ index_t first_index() const { return index_t(index.x) * size; }

  template <class Body>
  __device__ __forceinline__ void each_thread(Body&& body) const {
    body(self());
  }
  template <std::integral Count, class Body>
  __device__ __forceinline__ void each_thread(Count active, Body&& body) const {
    using compared = std::conditional_t<std::is_signed_v<Count> && sizeof(Count) <= sizeof(int), int, index_t>;
    thread const t = self();
    if (t.rank < compared(active)) body(t);
  }

  template <class Body>
  __device__ __forceinline__ void each_index(int count, Body&& body) const {
    for (int i = self().rank; i < count; i += size) body(i);
  }
  template <class Body>
  __device__ __forceinline__ void each_index(int rows, int columns, Body&& body) const {
    thread const t = self();
    for (int y = t.z * Shape::y + t.y; y < rows; y += Shape::y * Shape::z)
      for (int x = t.x; x < columns; x += Shape::x) body(y, x);
  }
  template <class Body>
  __device__ __forceinline__ void each_index(int planes, int rows, int columns, Body&& body) const {
    thread const t = self();
    for (int z = t.z; z < planes; z += Shape::z)
      for (int y = t.y; y < rows; y += Shape::y)
        for (int x = t.x; x < columns; x += Shape::x) body(z, y, x);
  }

  // Known extents: loops that unroll, and one condition per element at most, so that all loads can be issued before the
  // first is used. (Nested conditions became branches: 5% of a stencil.)
  template <int Count, class Body>
  __device__ __forceinline__ void each_index(fixed<Count>, Body&& body) const {
    int const first = self().rank;
#pragma unroll
    for (int i = 0; i < ceil_div(Count, size); ++i)
      if (int const x = first + i * size; within<Count, size>(i, x)) body(x);
  }
  template <int Rows, int Columns, class Body>
  __device__ __forceinline__ void each_index(fixed<Rows, Columns>, Body&& body) const {
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
  __device__ T uniform(cuda::per_thread<T> const& value, int rank = 0) const {
    __shared__ alignas(T) unsigned char slot[sizeof(T)];
    auto& shared = reinterpret_cast<T&>(slot);
    __syncthreads();  // the slot may still be read from the last time
    if (self().rank == rank) shared = value.own();
    __syncthreads();
    return shared;
  }

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
  // Only the last step of the threads along a side can leave it.
  template <int Extent, int Threads>
  static __device__ __forceinline__ constexpr bool within(int step, int position) {
    return step < Extent / Threads || position < Extent;
  }

  grid_barrier all_;
};

static_assert(block_like<block<block_shape<32, 8>>>);

}  // namespace dolmen::cuda
