// Counts of bytes: each block counts in shared memory, with atomics, and adds its counts to the result at the end.
#pragma once

#include <dolmen/core/atomic.hpp>
#include <dolmen/core/block.hpp>
#include <dolmen/core/tile.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct histogram {
  using shape = dolmen::block_shape<256>;
  static constexpr int bins = 256, width = 16, chunk = shape::size * width;
  struct shared {
    dolmen::tile<std::uint32_t, bins> count;
  };

  dolmen::view<std::uint8_t const> keys;  // starts at a multiple of 16 bytes
  dolmen::view<std::uint32_t> counts;     // 256, to which is added

  /// Blocks for n keys, not more than `most` (persistent_blocks): each goes round.
  static dolmen::grid blocks(dolmen::index_t n, dolmen::index_t most) {
    return dolmen::grid(dolmen::min(dolmen::ceil_div(n, chunk), most));
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_index(dolmen::fixed<bins>{}, [&](int i) { mem.count(i) = 0; });
    block.sync();
    auto const n = keys.size(), stride = dolmen::index_t(block.grid.x) * chunk;
    auto first = dolmen::index_t(block.index.x) * chunk;
    for (; first + chunk <= n; first += stride)
      block.each_thread([&](dolmen::thread t) {
        auto const p = keys.load_pack<width>(first + t.rank * width);
        DOLMEN_UNROLL for (int i = 0; i < width; ++i) mem.count.atomic(p[i]).fetch_add(1u);
      });
    for (; first < n; first += shape::size)  // the last chunk, for the block whose turn it is
      block.each_thread(n - first, [&](dolmen::thread t) { mem.count.atomic(keys(first + t.rank)).fetch_add(1u); });
    block.sync();
    block.each_index(dolmen::fixed<bins>{}, [&](int i) {
      if (auto const c = mem.count.load(i); c != 0) counts.atomic(i).fetch_add(c);
    });
  }
};

}  // namespace kernels
