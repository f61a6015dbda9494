// C = A B for row-major A (M x K), B (K x N), C (M x N) of any size: naive, and through tiles in shared memory.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/tile.hpp>
#include <dolmen/core/view.hpp>

namespace kernels {

/// One element of C per thread; each reads its row of A and its column of B from global memory.
template <class T>
struct naive_matmul {
  using shape = dolmen::block_shape<32, 8>;

  dolmen::view<T const, 2> a, b;
  dolmen::view<T, 2> c;

  static dolmen::grid blocks(dolmen::index_t m, dolmen::index_t n) {
    return dolmen::grid(dolmen::ceil_div(n, shape::x), dolmen::ceil_div(m, shape::y));
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const x0 = dolmen::index_t(block.index.x) * shape::x, y0 = dolmen::index_t(block.index.y) * shape::y;
    auto const rows = c.extent(0) - y0, columns = c.extent(1) - x0, depth = a.extent(1);
    auto const element = [&](int y, int x) {
      T sum = 0;
      for (dolmen::index_t k = 0; k < depth; ++k) sum += a.load(y0 + y, k) * b.load(k, x0 + x);
      c(y0 + y, x0 + x) = sum;
    };
    if (rows >= shape::y && columns >= shape::x)
      block.each_index(dolmen::fixed<shape::y, shape::x>{}, element);
    else
      block.each_index(int(dolmen::min(rows, shape::y)), int(dolmen::min(columns, shape::x)), element);
  }
};

/// A block computes a 32 x 32 tile of C; its 32 x 8 threads four rows each, so that an element of B's tile that was read
/// once from shared memory serves four products.
template <class T>
struct tiled_matmul {
  using shape = dolmen::block_shape<32, 8>;
  static constexpr int side = 32, rows_per_thread = side / shape::y;
  static constexpr dolmen::launch_bounds bounds{.min_blocks = 5};  // wide loads from the tiles would take the registers of more
  struct shared {
    dolmen::tile<T, side, side> a, b;
  };

  dolmen::view<T const, 2> a, b;
  dolmen::view<T, 2> c;

  static dolmen::grid blocks(dolmen::index_t m, dolmen::index_t n) {
    return dolmen::grid(dolmen::ceil_div(n, side), dolmen::ceil_div(m, side));
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    using sums = dolmen::array<T, rows_per_thread>;
    constexpr dolmen::fixed<side, side> whole;
    auto const x0 = dolmen::index_t(block.index.x) * side, y0 = dolmen::index_t(block.index.y) * side;
    auto const rows = c.extent(0) - y0, columns = c.extent(1) - x0, depth = a.extent(1);
    auto sum = block.per_thread(sums{});
    auto const multiply = [&] {
      block.sync();
      block.each_thread([&](dolmen::thread t) {
        sums s = sum[t];
        DOLMEN_UNROLL for (int k = 0; k < side; ++k) {
          T const right = mem.b.load(k, t.x);
          for (int r = 0; r < rows_per_thread; ++r) s[r] += mem.a.load(t.y + r * shape::y, k) * right;
        }
        sum[t] = s;
      });
      block.sync();
    };
    bool const full = rows >= side && columns >= side;  // the same for the whole block
    dolmen::index_t k0 = 0;
    if (full)
      for (; k0 + side <= depth; k0 += side) {
        block.each_index(whole, [&](int y, int x) { mem.a(y, x) = a(y0 + y, k0 + x); });
        block.each_index(whole, [&](int y, int x) { mem.b(y, x) = b(k0 + y, x0 + x); });
        multiply();
      }
    for (; k0 < depth; k0 += side) {  // what hangs over an edge counts as zero
      block.each_index(whole, [&](int y, int x) { mem.a(y, x) = y < rows && k0 + x < depth ? a(y0 + y, k0 + x) : T(0); });
      block.each_index(whole, [&](int y, int x) { mem.b(y, x) = k0 + y < depth && x < columns ? b(k0 + y, x0 + x) : T(0); });
      multiply();
    }
    block.each_thread([&](dolmen::thread t) {
      for (int r = 0; r < rows_per_thread; ++r)
        if (full || (t.y + r * shape::y < rows && t.x < columns)) c(y0 + t.y + r * shape::y, x0 + t.x) = sum[t][r];
    });
  }
};

}  // namespace kernels
