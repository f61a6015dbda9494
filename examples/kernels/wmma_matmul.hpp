// C = A B on tensor cores: A (M x K) and B (K x N) of half or bfloat16, C (M x N) of float, row-major, any M; N and K are
// multiples of 8, as the packs ask.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/fragment.hpp>

namespace kernels {

/// A block computes 128 x 128 of C, each of its 4 warps 64 x 64. Slices of A and B of depth 32 come through shared memory
/// in a pipeline of four stages: while one is multiplied, the next three are on their way.
template <class T>
struct wmma_matmul {
  using shape = dolmen::block_shape<128>;
  static constexpr int tile_m = 128, tile_n = 128, tile_k = 32, stages = 4;
  static constexpr int warps_m = 2, warps_n = 2;  // how the warps divide the tile
  static constexpr int warp_m = tile_m / warps_m, warp_n = tile_n / warps_n;
  static constexpr int rows = warp_m / 16, columns = warp_n / 16;  // fragments of a warp
  static constexpr int pad = 8;                                    // rows begin in different banks
  union shared {
    struct {
      dolmen::tile<T, tile_m, tile_k + pad> a[stages];
      dolmen::tile<T, tile_k, tile_n + pad> b[stages];
    } in;
    dolmen::tile<float, 16 * warps_m * warps_n, 16> edge;  // at the end: a fragment per warp
  };

  dolmen::view<dolmen::pack<T, 8> const, 2> a, b;  // as_packs<8>()
  dolmen::view<float, 2> c;

  static dolmen::grid blocks(dolmen::index_t m, dolmen::index_t n) {
    return dolmen::grid(dolmen::ceil_div(n, tile_n), dolmen::ceil_div(m, tile_m));
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    using left = dolmen::fragment<Block, dolmen::matrix_a<T>>;
    using right = dolmen::fragment<Block, dolmen::matrix_b<T>>;
    using sum = dolmen::fragment<Block, dolmen::accumulator<T>>;

    auto const y0 = dolmen::index_t(block.index.y) * tile_m, x0 = dolmen::index_t(block.index.x) * tile_n;
    int const steps = int(dolmen::ceil_div(a.extent(1) * 8, tile_k));
    auto const fetch = [&](int step) {  // what hangs over an edge counts as zero
      if (step < steps) {
        int const stage = step % stages;
        block.copy_async(mem.in.a[stage], dolmen::fixed<tile_m, tile_k>{}, a, y0, dolmen::index_t(step) * tile_k);
        block.copy_async(mem.in.b[stage], dolmen::fixed<tile_k, tile_n>{}, b, dolmen::index_t(step) * tile_k, x0);
      }
      block.commit_copies();  // also an empty group, so that the count is the same for all steps
    };

    auto sums = block.per_warp(dolmen::array<sum, rows * columns>{});
    for (int step = 0; step < stages - 1; ++step) fetch(step);
    for (int step = 0; step < steps; ++step) {
      block.wait_copies(stages - 2);  // this step's group has landed
      block.sync();                   // ... for all, and all are done with the stage that is filled next
      fetch(step + stages - 1);
      int const stage = step % stages;
      block.each_warp([&](auto& warp) {
        auto& s = sums[warp];
        int const y = warp.index / warps_n * warp_m, x = warp.index % warps_n * warp_n;
        DOLMEN_UNROLL for (int k = 0; k < tile_k; k += 16) {
          left l[rows];
          right r[columns];
          DOLMEN_UNROLL for (int i = 0; i < rows; ++i) warp.load(l[i], mem.in.a[stage], y + 16 * i, k);
          DOLMEN_UNROLL for (int j = 0; j < columns; ++j) warp.load(r[j], mem.in.b[stage], k, x + 16 * j);
          DOLMEN_UNROLL for (int i = 0; i < rows; ++i) DOLMEN_UNROLL for (int j = 0; j < columns; ++j)
              warp.mma(s[i * columns + j], l[i], r[j]);
        }
      });
    }

    auto const height = c.extent(0) - y0, width = c.extent(1) - x0;
    bool const whole = height >= tile_m && width >= tile_n && c.stride(0) % 4 == 0;
    if (!whole) {  // the stages become the patches of the edge
      block.wait_copies(0);
      block.sync();
    }
    block.each_warp([&](auto& warp) {
      auto& s = sums[warp];
      int const y = warp.index / warps_n * warp_m, x = warp.index % warps_n * warp_n;
      DOLMEN_UNROLL for (int i = 0; i < rows; ++i) DOLMEN_UNROLL for (int j = 0; j < columns; ++j) {
        int const fy = y + 16 * i, fx = x + 16 * j;
        if (whole) {
          warp.store(c, y0 + fy, x0 + fx, s[i * columns + j]);
        } else {  // fragments know no bounds: through shared memory, where the elements can be counted
          warp.store(mem.edge, 16 * warp.index, 0, s[i * columns + j]);
          warp.sync();
          warp.each_index(256, [&](int e) {
            if (fy + e / 16 < height && fx + e % 16 < width)
              c(y0 + fy + e / 16, x0 + fx + e % 16) = mem.edge.load(16 * warp.index + e / 16, e % 16);
          });
          warp.sync();
        }
      }
    });
  }
};

}  // namespace kernels
