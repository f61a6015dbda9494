// y += alpha x (BLAS axpy), in float or double.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

template <class T>
struct axpy {
  using shape = dolmen::block_shape<256>;

  T alpha;
  dolmen::view<T const> x;
  dolmen::view<T> y;

  static dolmen::grid blocks(dolmen::index_t n) { return dolmen::grid(dolmen::ceil_div(n, shape::size)); }

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(y.size() - first, [&](dolmen::thread t) { y(first + t.rank) += alpha * x(first + t.rank); });
  }
};

}  // namespace kernels
