// c = a + b, one element per thread: the first kernel.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct vector_add {
  using shape = dolmen::block_shape<256>;

  dolmen::view<float const> a, b;
  dolmen::view<float> c;

  /// Blocks that cover n elements.
  static dolmen::grid blocks(dolmen::index_t n) { return dolmen::grid(dolmen::ceil_div(n, shape::size)); }

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(c.size() - first, [&](dolmen::thread t) { c(first + t.rank) = a(first + t.rank) + b(first + t.rank); });
  }
};

}  // namespace kernels
