// The block on a CPU: phases are loops over the threads, which the compiler vectorises along x.
#pragma once

#include <chrono>

#include "../../core/block.hpp"
#include "grid_barrier.hpp"
#include "scratch.hpp"

// Iterations of the loop that follows do not depend on each other: vectorise it. Not `omp simd`, which ends the program
// when a body throws. g++ wants plain variables in the loop's condition.
#if defined(__CUDA_ARCH__)
#define DOLMEN_SIMD
#elif defined(__clang__)
#define DOLMEN_SIMD _Pragma("clang loop vectorize(assume_safety)")
#else
#define DOLMEN_SIMD _Pragma("GCC ivdep")
#endif

namespace dolmen::cpu {

/// One value per thread, in the worker's scratch memory.
template <class T>
class per_thread {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN per_thread(scratch& memory, int count, T initial)
      : memory_(memory), values_(static_cast<T*>(memory.take(sizeof(T) * std::size_t(count)))), count_(count) {
    T* const values = values_;
    DOLMEN_SIMD for (int i = 0; i < count; ++i) values[i] = initial;
  }
  per_thread(per_thread const&) = delete;
  per_thread& operator=(per_thread const&) = delete;
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN ~per_thread() { memory_.give_back(values_, sizeof(T) * std::size_t(count_)); }

  DOLMEN_INLINE_FN T& operator[](thread const& t) { return values_[t.rank]; }
  DOLMEN_INLINE_FN T const& operator[](thread const& t) const { return values_[t.rank]; }
  DOLMEN_INLINE_FN T const& of(int rank) const { return values_[rank]; }

 private:
  scratch& memory_;
  T* values_;
  int count_;
};

/// An array per thread lies element by element, all threads' first elements together, so that phases load and store vectors.
template <class T, int N>
class per_thread<array<T, N>> {
 public:
  /// One thread's array, where it lies.
  class place {
   public:
    DOLMEN_INLINE_FN place(T* first, int stride) : first_(first), stride_(stride) {}
    DOLMEN_INLINE_FN T& operator[](int i) const { return first_[i * stride_]; }
    DOLMEN_INLINE_FN operator array<T, N>() const {
      array<T, N> all;
      for (int i = 0; i < N; ++i) all[i] = first_[i * stride_];
      return all;
    }
    DOLMEN_INLINE_FN void operator=(array<T, N> const& all) const {
      for (int i = 0; i < N; ++i) first_[i * stride_] = all[i];
    }

   private:
    T* first_;
    int stride_;
  };

  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN per_thread(scratch& memory, int count, array<T, N> const& initial)
      : memory_(memory), values_(static_cast<T*>(memory.take(sizeof(T) * N * std::size_t(count)))), count_(count) {
    for (int i = 0; i < N; ++i)
      for (int t = 0; t < count; ++t) values_[i * count + t] = initial[i];
  }
  per_thread(per_thread const&) = delete;
  per_thread& operator=(per_thread const&) = delete;
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN ~per_thread() { memory_.give_back(values_, sizeof(T) * N * std::size_t(count_)); }

  DOLMEN_INLINE_FN place operator[](thread const& t) const { return {values_ + t.rank, count_}; }
  DOLMEN_INLINE_FN array<T, N> of(int rank) const { return place(values_ + rank, count_); }

 private:
  scratch& memory_;
  T* values_;
  int count_;
};

/// `File` is a type of the source file that launches. It gives every kernel body internal linkage: with weak symbols the
/// linker would pick one file's copy, compiled by another compiler or for another instruction set.
template <class Shape, class File>
class block {
 public:
  using shape = Shape;
  static constexpr int size = Shape::size;
  block_index index, grid;

  DOLMEN_INLINE_FN block(block_index index, block_index grid, scratch& memory, grid_barrier* all = nullptr)
      : index(index), grid(grid), memory_(memory), all_(all) {}

  DOLMEN_INLINE_FN index_t first_index() const { return index_t(index.x) * size; }

  template <class Body>
  DOLMEN_INLINE_FN void each_thread(Body&& body) const {
    for (int z = 0; z < Shape::z; ++z)
      for (int y = 0; y < Shape::y; ++y) row(Shape::x, y, z, body);
  }
  template <class Body>
  DOLMEN_INLINE_FN void each_thread(index_t active, Body&& body) const {
    if (active >= size) {
      each_thread(body);
      return;
    }
    // The bound is outside the loop, so that bodies need no guard and vectorise.
    int const n = active < 0 ? 0 : int(active), full = n / Shape::x;
    for (int r = 0; r < full; ++r) row(Shape::x, r % Shape::y, r / Shape::y, body);
    if (full * Shape::x < n) row(n - full * Shape::x, full % Shape::y, full / Shape::y, body);
  }

  template <class Body>
  DOLMEN_INLINE_FN void each_index(int count, Body&& body) const {
    DOLMEN_SIMD for (int i = 0; i < count; ++i) body(i);
  }
  template <class Body>
  DOLMEN_INLINE_FN void each_index(int rows, int columns, Body&& body) const {
    for (int y = 0; y < rows; ++y) {
      DOLMEN_SIMD for (int x = 0; x < columns; ++x) body(y, x);
    }
  }
  template <class Body>
  DOLMEN_INLINE_FN void each_index(int planes, int rows, int columns, Body&& body) const {
    for (int z = 0; z < planes; ++z)
      for (int y = 0; y < rows; ++y) {
        DOLMEN_SIMD for (int x = 0; x < columns; ++x) body(z, y, x);
      }
  }
  template <int... Sizes, class Body>
  DOLMEN_INLINE_FN void each_index(fixed<Sizes...>, Body&& body) const {
    each_index(Sizes..., body);
  }

  // Phases run one after another, so there is nothing to wait for.
  DOLMEN_INLINE_FN void sync() const {}

  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN void grid_sync() const { grid_barrier::wait(all_); }

  DOLMEN_NO_EXEC_CHECK
  template <class T>
  DOLMEN_INLINE_FN auto per_thread(T initial) const {
    return cpu::per_thread<T>(memory_, size, initial);
  }

  template <class T>
  DOLMEN_INLINE_FN T uniform(cpu::per_thread<T> const& value, int rank = 0) const {
    return value.of(rank);
  }

  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN index_t clock() const {
#if defined(__x86_64__) && !DOLMEN_ON_DEVICE
    return index_t(__builtin_ia32_rdtsc());
#else
    return nanoseconds();
#endif
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN index_t nanoseconds() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

 private:
  template <class Body>
  DOLMEN_INLINE_FN void row(int columns, int y, int z, Body& body) const {
    DOLMEN_SIMD for (int x = 0; x < columns; ++x) body(detail::thread_at<Shape>(x, y, z));
  }

  scratch& memory_;
  grid_barrier* all_;  // null unless the launch is cooperative
};

static_assert(block_like<block<block_shape<32, 8>, void>>);

}  // namespace dolmen::cpu
