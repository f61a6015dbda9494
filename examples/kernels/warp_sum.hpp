// The sum of all elements in one launch: wide loads, warp shuffles, and the last block to finish adds up the blocks' sums.
// The order is fixed, so the result is the same from run to run.
#pragma once

#include <dolmen/core/atomic.hpp>
#include <dolmen/core/block.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

struct warp_sum {
  using shape = dolmen::block_shape<256>;
  static constexpr int width = 4, loads = 4;                 // elements of a pack; packs under way per thread
  static constexpr int chunk = shape::size * width * loads;  // elements of a block's round

  dolmen::view<float const> in;        // starts at a multiple of 16 bytes
  dolmen::view<float> partial;         // one per block of the grid
  dolmen::view<std::uint32_t> ticket;  // one, 0 before the launch and after it
  dolmen::view<float> out;             // one

  /// Blocks for n elements, not more than `most` (persistent_blocks): each goes round.
  static dolmen::grid blocks(dolmen::index_t n, dolmen::index_t most) {
    return dolmen::grid(dolmen::max(dolmen::min(dolmen::ceil_div(n, chunk), most), 1));
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    using packed = dolmen::pack<float, width>;
    auto const n = in.size();
    auto sums = block.per_thread(dolmen::array<float, width>{});
    auto first = dolmen::index_t(block.index.x) * chunk;
    auto const stride = dolmen::index_t(block.grid.x) * chunk;
    for (; first + chunk <= n; first += stride)
      block.each_thread([&](dolmen::thread t) {
        packed p[loads];
        DOLMEN_UNROLL for (int j = 0; j < loads; ++j) p[j] = in.load_pack<width>(first + (j * shape::size + t.rank) * width);
        DOLMEN_UNROLL for (int j = 0; j < loads; ++j) DOLMEN_UNROLL for (int i = 0; i < width; ++i) sums[t][i] += p[j][i];
      });
    for (; first < n; first += shape::size)  // the last chunk, for the block whose turn it is
      block.each_thread(n - first, [&](dolmen::thread t) { sums[t][0] += in(first + t.rank); });

    auto value = block.per_thread(0.0f);
    block.each_thread([&](dolmen::thread t) { value[t] = (sums[t][0] + sums[t][1]) + (sums[t][2] + sums[t][3]); });
    float const mine = block.reduce(value);

    auto is_last = block.per_thread(false);
    block.each_thread(1, [&](dolmen::thread t) {
      partial(block.index.x) = mine;
      // Released with the partial sum; whoever draws the last number acquires all of them.
      is_last[t] = ticket.atomic(0).fetch_add(1u, dolmen::memory_order::acq_rel) == std::uint32_t(block.grid.x) - 1;
    });
    if (!block.uniform(is_last)) return;
    block.each_thread([&](dolmen::thread t) {
      float s = 0;
      for (int b = t.rank; b < block.grid.x; b += shape::size) s += partial.load(b);
      value[t] = s;
    });
    float const total = block.reduce(value);
    block.each_thread(1, [&](dolmen::thread) {
      out(0) = total;
      ticket(0) = 0;
    });
  }
};

}  // namespace kernels
