// y = A x for a sparse matrix in compressed rows (CSR), one warp per row: rows may have very different lengths.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct spmv {
  using shape = dolmen::block_shape<256>;

  dolmen::view<std::int32_t const> row_offsets;  // rows + 1
  dolmen::view<std::int32_t const> columns;      // of each value
  dolmen::view<float const> values;
  dolmen::view<float const> x;
  dolmen::view<float> y;  // one per row

  static dolmen::grid blocks(dolmen::index_t rows) { return dolmen::grid(dolmen::ceil_div(rows, shape::size / dolmen::warp_size)); }

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      auto const row = dolmen::index_t(block.index.x) * block.warps + warp.index;
      if (row >= y.size()) return;
      std::int32_t const begin = row_offsets(row), end = row_offsets(row + 1);
      auto sum = warp.per_lane(0.0f);
      warp.each_index(end - begin, [&](int i, dolmen::thread t) { sum[t] += values(begin + i) * x(columns(begin + i)); });
      float const total = warp.reduce(sum);
      warp.each_lane(1, [&](dolmen::thread) { y(row) = total; });
    });
  }
};

}  // namespace kernels
