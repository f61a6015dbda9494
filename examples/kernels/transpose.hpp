// out = transpose of in, through a padded tile, so that both sides move whole rows.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/tile.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct tiled_transpose {
  using shape = dolmen::block_shape<32, 8>;
  static constexpr int side = 32;
  struct shared {
    dolmen::tile<float, side, side + 1> square;  // one column more: a column of it then lies in 32 different banks
  };

  dolmen::view<float const, 2> in;  // rows x columns
  dolmen::view<float, 2> out;       // columns x rows

  static dolmen::grid blocks(dolmen::index_t rows, dolmen::index_t columns) {
    return dolmen::grid(dolmen::ceil_div(columns, side), dolmen::ceil_div(rows, side));
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const x0 = dolmen::index_t(block.index.x) * side, y0 = dolmen::index_t(block.index.y) * side;
    auto const from = [&](int y, int x) { mem.square(y, x) = in(y0 + y, x0 + x); };
    auto const to = [&](int y, int x) { out(x0 + y, y0 + x) = mem.square.load(x, y); };
    int const rows = int(dolmen::min(in.extent(0) - y0, side)), columns = int(dolmen::min(in.extent(1) - x0, side));
    if (rows == side && columns == side) {  // the same for the whole block: full tiles have a shape the compiler knows
      block.each_index(dolmen::fixed<side, side>{}, from);
      block.sync();
      block.each_index(dolmen::fixed<side, side>{}, to);
    } else {
      block.each_index(rows, columns, from);
      block.sync();
      block.each_index(columns, rows, to);
    }
  }
};

}  // namespace kernels
