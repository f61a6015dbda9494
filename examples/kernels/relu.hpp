// out = max(in, 0). NaN stays NaN.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct relu {
  using shape = dolmen::block_shape<256>;

  dolmen::view<float const> in;
  dolmen::view<float> out;

  static dolmen::grid blocks(dolmen::index_t n) { return dolmen::grid(dolmen::ceil_div(n, shape::size)); }

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(out.size() - first, [&](dolmen::thread t) {
      float const x = in(first + t.rank);
      out(first + t.rank) = x < 0.0f ? 0.0f : x;
    });
  }
};

}  // namespace kernels
