// The block on a CPU: phases are loops over the threads, which the compiler vectorises along x.
#pragma once

#include "../../core/block.hpp"
#include "../../core/clock.hpp"
#include "../../core/emulation/block.hpp"
#include "grid_barrier.hpp"

namespace dolmen::cpu {

using emulation::scratch;

/// `File` is a type of the source file that launches. It gives every kernel body internal linkage: with weak symbols the
/// linker would pick one file's copy, compiled by another compiler or for another instruction set.
template <class Shape, class File>
class block : public emulation::block_operations<Shape, File> {
 public:
  using shape = Shape;
  static constexpr int size = Shape::size;
  block_index index, grid;

  DOLMEN_INLINE_FN block(block_index index, block_index grid, scratch& memory, grid_barrier* all = nullptr)
      : emulation::block_operations<Shape, File>(memory), index(index), grid(grid), all_(all) {}

  DOLMEN_INLINE_FN index_t first_index() const { return index_t(index.x) * size; }

  template <class Body>
  DOLMEN_INLINE_FN void each_thread(Body&& body) const {
    dolmen::detail::check_phase<Body, thread>();
    for (int z = 0; z < Shape::z; ++z)
      for (int y = 0; y < Shape::y; ++y) row(Shape::x, y, z, body);
  }
  template <class Body>
  DOLMEN_INLINE_FN void each_thread(index_t active, Body&& body) const {
    dolmen::detail::check_phase<Body, thread>();
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
    dolmen::detail::check_index_phase<Body>();
    if constexpr (std::invocable<Body&, int, thread>) {
      for (int first = 0; first < count; first += size) each_thread(count - first, [&](thread const& t) { body(first + t.rank, t); });
    } else {
      DOLMEN_SIMD for (int i = 0; i < count; ++i) body(i);
    }
  }
  template <class Body>
  DOLMEN_INLINE_FN void each_index(int rows, int columns, Body&& body) const {
    dolmen::detail::check_phase<Body, int, int>();
    for (int y = 0; y < rows; ++y) {
      DOLMEN_SIMD for (int x = 0; x < columns; ++x) body(y, x);
    }
  }
  template <class Body>
  DOLMEN_INLINE_FN void each_index(int planes, int rows, int columns, Body&& body) const {
    dolmen::detail::check_phase<Body, int, int, int>();
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
  DOLMEN_INLINE_FN index_t clock() const {
#if defined(__x86_64__) && !DOLMEN_ON_DEVICE
    return index_t(__builtin_ia32_rdtsc());
#else
    return nanoseconds();
#endif
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN index_t nanoseconds() const { return dolmen::detail::steady_nanoseconds(); }

 private:
  template <class Body>
  DOLMEN_INLINE_FN void row(int columns, int y, int z, Body& body) const {
    DOLMEN_SIMD for (int x = 0; x < columns; ++x) body(detail::thread_at<Shape>(x, y, z));
  }

  grid_barrier* all_;  // null unless the launch is cooperative
};

static_assert(block_like<block<block_shape<32, 8>, void>>);

}  // namespace dolmen::cpu
