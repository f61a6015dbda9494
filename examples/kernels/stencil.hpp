// Mean of the four neighbours, zero outside the grid; the tile in shared memory has a halo of one.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/tile.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct stencil5 {
  using shape = dolmen::block_shape<32, 8>;
  static constexpr int width = 32, height = 8;
  struct shared {
    dolmen::tile<float, height + 2, width + 2> halo;
  };

  dolmen::view<float const, 2> in;
  dolmen::view<float, 2> out;

  static dolmen::grid blocks(dolmen::index_t rows, dolmen::index_t columns) {
    return dolmen::grid(dolmen::ceil_div(columns, width), dolmen::ceil_div(rows, height));
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const x0 = dolmen::index_t(block.index.x) * width, y0 = dolmen::index_t(block.index.y) * height;
    auto const rows = in.extent(0), columns = in.extent(1);
    auto const mean = [&](int y, int x) {
      out(y0 + y, x0 + x) =
          0.25f * (mem.halo.load(y + 1, x) + mem.halo.load(y + 1, x + 2) + mem.halo.load(y, x + 1) + mem.halo.load(y + 2, x + 1));
    };
    if (x0 > 0 && y0 > 0 && x0 + width < columns && y0 + height < rows) {  // inside: no guards, a shape the compiler knows
      block.each_index(dolmen::fixed<height + 2, width + 2>{}, [&](int y, int x) { mem.halo(y, x) = in(y0 + y - 1, x0 + x - 1); });
      block.sync();
      block.each_index(dolmen::fixed<height, width>{}, mean);
    } else {
      block.each_index(dolmen::fixed<height + 2, width + 2>{}, [&](int y, int x) {
        auto const gy = y0 + y - 1, gx = x0 + x - 1;
        mem.halo(y, x) = gy >= 0 && gy < rows && gx >= 0 && gx < columns ? in(gy, gx) : 0.0f;
      });
      block.sync();
      block.each_index(int(dolmen::min(rows - y0, height)), int(dolmen::min(columns - x0, width)), mean);
    }
  }
};

}  // namespace kernels
