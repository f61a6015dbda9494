// The block under the check backend: threads run one after another, and each access is recorded by the views and tiles
// themselves. Nothing is vectorised, and per-thread values are apart from the kernel's own frame.
#pragma once

#include <chrono>
#include <memory>

#include "../../core/block.hpp"
#include "../../core/emulation/block.hpp"
#include "../../core/print.hpp"

namespace dolmen::check {

template <class Shape>
class block : public emulation::block_operations<Shape, void> {
 public:
  using shape = Shape;
  static constexpr int size = Shape::size;
  block_index index, grid;

  block(block_index index, block_index grid, emulation::scratch& memory)
      : emulation::block_operations<Shape, void>(memory), index(index), grid(grid) {}

  index_t first_index() const { return index_t(index.x) * size; }

  template <class Body>
  void each_thread(Body&& body) const {
    each_thread(size, body);
  }
  template <class Body>
  void each_thread(index_t active, Body&& body) const {
    for (int z = 0; z < Shape::z; ++z)
      for (int y = 0; y < Shape::y; ++y)
        for (int x = 0; x < Shape::x; ++x)
          if (thread const t = detail::thread_at<Shape>(x, y, z); t.rank < active) body(t);
  }

  template <class Body>
  void each_index(int count, Body&& body) const {
    for (int i = 0; i < count; ++i) {
      if constexpr (std::invocable<Body&, int, thread>)
        body(i, detail::thread_at<Shape>(i % size % Shape::x, i % size / Shape::x % Shape::y, i % size / (Shape::x * Shape::y)));
      else
        body(i);
    }
  }
  template <class Body>
  void each_index(int rows, int columns, Body&& body) const {
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) body(y, x);
  }
  template <class Body>
  void each_index(int planes, int rows, int columns, Body&& body) const {
    for (int z = 0; z < planes; ++z)
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) body(z, y, x);
  }
  template <int... Sizes, class Body>
  void each_index(fixed<Sizes...>, Body&& body) const {
    each_index(Sizes..., body);
  }

  void sync() const {}
  void grid_sync() const { throw launch_error("block.grid_sync: cooperative launches do not run on the check backend yet"); }

  index_t clock() const { return nanoseconds(); }
  index_t nanoseconds() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

static_assert(block_like<block<block_shape<32, 8>>>);

/// Runs every block of the grid on the calling thread.
template <class Kernel>
void launch(dolmen::grid blocks, Kernel const& kernel) {
  block_index const shape{int(blocks.x), int(blocks.y), int(blocks.z)};
  auto const shared = std::make_unique_for_overwrite<detail::shared_t<Kernel>>();
  detail::running_block running;
  emulation::scratch memory;
  for (index_t b = 0; b < blocks.blocks(); ++b) {
    block<typename Kernel::shape> current(detail::split(b, shape), shape, memory);
    running.here = current.index;
    detail::call_kernel(kernel, current, *shared);
    memory.reset();
  }
}

}  // namespace dolmen::check
