// One sum per block of 256 elements: a tree in shared memory, with a barrier between its steps.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/tile.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct block_sum {
  using shape = dolmen::block_shape<256>;
  struct shared {
    dolmen::tile<float, 256> partial;
  };

  dolmen::view<float const> in;
  dolmen::view<float> out;  // one element per block

  static dolmen::grid blocks(dolmen::index_t n) { return dolmen::grid(dolmen::ceil_div(n, shape::size)); }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const first = block.first_index();
    auto const count = in.size() - first;
    if (count >= block.size)
      block.each_thread([&](dolmen::thread t) { mem.partial(t.rank) = in(first + t.rank); });
    else  // the last block fills up with zeros
      block.each_thread([&](dolmen::thread t) { mem.partial(t.rank) = t.rank < count ? in(first + t.rank) : 0.0f; });
    block.sync();
    for (int half = block.size / 2; half > 0; half /= 2) {
      block.each_thread(half, [&](dolmen::thread t) { mem.partial(t.rank) += mem.partial.load(t.rank + half); });
      block.sync();
    }
    block.each_thread(1, [&](dolmen::thread) { out(block.index.x) = mem.partial.load(0); });
  }
};

}  // namespace kernels
