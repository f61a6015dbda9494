// Inclusive scan of every run of 1024 elements: what the blocks of a larger scan do first.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

/// Four neighbouring elements per thread: scanned by itself, then all threads' sums by the block.
struct block_scan {
  using shape = dolmen::block_shape<256>;
  static constexpr int width = 4, run = shape::size * width;

  dolmen::view<float const> in;  // both start at a multiple of 16 bytes
  dolmen::view<float> out;

  static dolmen::grid blocks(dolmen::index_t n) { return dolmen::grid(dolmen::ceil_div(n, run)); }

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    using packed = dolmen::array<float, width>;
    auto const first = dolmen::index_t(block.index.x) * run;
    auto const count = in.size() - first;
    auto items = block.per_thread(packed{});
    auto sum = block.per_thread(0.0f);
    if (count >= run)
      block.each_thread([&](dolmen::thread t) {
        auto const p = in.load_pack<width>(first + t.rank * width);
        DOLMEN_UNROLL for (int i = 0; i < width; ++i) items[t][i] = p[i];
      });
    else
      block.each_thread([&](dolmen::thread t) {
        for (int i = 0; i < width; ++i)
          if (t.rank * width + i < count) items[t][i] = in(first + t.rank * width + i);
      });
    block.each_thread([&](dolmen::thread t) {
      DOLMEN_UNROLL for (int i = 1; i < width; ++i) items[t][i] += items[t][i - 1];
      sum[t] = items[t][width - 1];
    });
    auto const before = block.exclusive_scan(sum, 0.0f);
    if (count >= run)
      block.each_thread([&](dolmen::thread t) {
        dolmen::pack<float, width> p;
        DOLMEN_UNROLL for (int i = 0; i < width; ++i) p[i] = before[t] + items[t][i];
        out.store_pack<width>(first + t.rank * width, p);
      });
    else
      block.each_thread([&](dolmen::thread t) {
        for (int i = 0; i < width; ++i)
          if (t.rank * width + i < count) out(first + t.rank * width + i) = before[t] + items[t][i];
      });
  }
};

}  // namespace kernels
