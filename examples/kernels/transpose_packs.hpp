// out = transpose of in, in packs of four floats both ways: fewer and wider accesses than tiled_transpose has.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/tile.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct transpose_packs {
  using shape = dolmen::block_shape<16, 16>;
  static constexpr dolmen::launch_bounds bounds{.min_blocks = 8};  // all the threads that a multiprocessor can hold
  static constexpr int side = 64, width = 4, packs = side / width;
  using packed = dolmen::pack<float, width>;
  struct shared {
    dolmen::tile<float, side, side + 1> square;  // one column more: a column of it then lies in different banks
  };

  dolmen::view<packed const, 2> in;  // rows x columns / 4, as_packs<4>()
  dolmen::view<packed, 2> out;       // columns x rows / 4

  static dolmen::grid blocks(dolmen::index_t rows, dolmen::index_t columns) {
    return dolmen::grid(dolmen::ceil_div(columns, side), dolmen::ceil_div(rows, side));
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const x0 = dolmen::index_t(block.index.x) * side, y0 = dolmen::index_t(block.index.y) * side;
    auto const from = [&](int y, int x) {
      packed const p = in(y0 + y, x0 / width + x);
      DOLMEN_UNROLL for (int i = 0; i < width; ++i) mem.square(y, x * width + i) = p[i];
    };
    auto const to = [&](int y, int x) {
      packed p;
      DOLMEN_UNROLL for (int i = 0; i < width; ++i) p[i] = mem.square.load(x * width + i, y);
      out(x0 + y, y0 / width + x) = p;
    };
    auto const rows = in.extent(0) - y0, columns = out.extent(0) - x0;
    bool const whole = rows >= side && columns >= side;  // the same for the whole block
    if (whole)
      block.each_index(dolmen::fixed<side, packs>{}, from);
    else
      block.each_index(dolmen::fixed<side, packs>{}, [&](int y, int x) {
        if (y < rows && x * width < columns) from(y, x);
      });
    block.sync();
    if (whole)
      block.each_index(dolmen::fixed<side, packs>{}, to);
    else
      block.each_index(dolmen::fixed<side, packs>{}, [&](int y, int x) {
        if (y < columns && x * width < rows) to(y, x);
      });
  }
};

}  // namespace kernels
