// Kernels at warp scope.
#pragma once

#include "kernels.hpp"

namespace test_warps {

/// Every warp goes its own number of rounds, or leaves at once. Rows: a per_thread value that warps changed, a per_warp
/// value after the barrier, the same after the warps changed it again.
template <class Shape>
struct own_rounds {
  using shape = Shape;
  view<int const> rounds;  // of each warp
  view<std::int64_t, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto seen = block.per_thread(std::int64_t(3));
    auto of_warp = block.per_warp(std::int64_t(-7));
    block.each_warp([&](auto& warp) {
      int const mine = rounds(warp.index);
      if (mine == 0) return;
      auto sum = warp.per_lane(std::int64_t(0));
      for (int r = 0; r < mine; ++r) {
        warp.each_lane(r - 2, [&](thread t) { sum[t] += 1000 * r + t.lane; });
        auto const left = warp.shuffle_up(sum, 1);
        warp.each_lane([&](thread t) { seen[t] = seen[t] % 1000003 * 3 + left[t]; });
      }
      of_warp[warp] = warp.reduce(sum) + warp.broadcast(sum, warp.lanes - 1);
    });
    block.sync();
    block.each_thread([&](thread t) {
      out(0, t.rank) = seen[t];
      out(1, t.rank) = of_warp[t];
    });
    block.each_warp([&](auto& warp) { of_warp[warp] = 2 * of_warp[warp] + 100 * warp.index + warp.lanes; });
    block.each_thread([&](thread t) { out(2, t.rank) = of_warp[t]; });
  }
};

/// Neighbours of a warp meet in shared memory, with barriers of their own.
template <class Shape>
struct meet_in_shared {
  using shape = Shape;
  struct shared {
    tile<std::uint32_t, Shape::size> data;
  };
  view<int> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto value = block.per_thread(0u);
    block.each_warp([&](auto& warp) {
      int const first = warp.index * warp_size;
      for (int r = 0; r < 10 + 3 * warp.index; ++r) {
        warp.each_lane([&](thread t) { mem.data(t.rank) = value[t] + std::uint32_t(t.rank + r); });
        warp.sync();
        warp.each_lane([&](thread t) { value[t] = 3 * value[t] + mem.data.load(first + (t.lane * 5 + r) % warp.lanes); });
        warp.sync();
      }
    });
    block.each_thread([&](thread t) { out(t.rank) = int(value[t]); });
  }
};

/// Counts how often each index comes, per warp: run-time counts, then fixed ones.
template <class Shape>
struct warp_indices {
  using shape = Shape;
  static constexpr int rows = 4;
  int count;
  view<int, 3> out;  // (row, warp, index)

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      warp.each_index(count, [&](int i) { out(0, warp.index, i) += 1; });
      warp.each_index(fixed<70>{}, [&](int i) { out(1, warp.index, i) += 1; });
      warp.each_index(fixed<64>{}, [&](int i) { out(2, warp.index, i) += 1; });
      warp.each_index(fixed<5>{}, [&](int i) { out(3, warp.index, i) += 1; });
      warp.each_index(fixed<0>{}, [&](int i) { out(3, warp.index, i) += 1000; });
    });
  }
};

/// What a lane knows of itself, for the first `active` lanes of each warp.
template <class Shape, class Count>
struct which_lanes {
  using shape = Shape;
  Count active;
  view<std::int64_t> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      warp.each_lane(active, [&](thread t) {
        out(t.rank) = 1 + t.x + 10000 * t.y + 100000000ll * t.z + 10000000000ll * t.warp + 1000000000000ll * t.lane;
      });
    });
  }
};

/// A dot product's step: products in a phase, sums by the block and the warps. Rows: block.reduce, inclusive, exclusive scan,
/// warp.reduce, warp scan, block.warp_reduce of 8.
template <class Shape, class T>
struct products {
  using shape = Shape;
  static constexpr int rows = 6;
  view<T const> a, b;
  view<T, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto v = block.per_thread(T(0));
    block.each_thread([&](thread t) { v[t] = a(t.rank) * b(t.rank); });
    T const start = a.load(0) * b.load(1);
    T const all = block.reduce(v);
    auto const upto = block.inclusive_scan(v), before = block.exclusive_scan(v, start);
    auto const eighths = block.warp_reduce(v, plus{}, lanes<8>{});
    block.each_thread([&](thread t) {
      out(0, t.rank) = all;
      out(1, t.rank) = upto[t];
      out(2, t.rank) = before[t];
      out(5, t.rank) = eighths[t];
    });
    block.each_warp([&](auto& warp) {
      auto mine = warp.per_lane(T(0));
      warp.each_lane([&](thread t) { mine[t] = a(t.rank) * b(t.rank); });
      T const sum = warp.reduce(mine);
      auto const upto = warp.inclusive_scan(mine);
      warp.each_lane([&](thread t) {
        out(3, t.rank) = sum;
        out(4, t.rank) = upto[t];
      });
    });
  }
};

/// Values that take the place of themselves, and arrays. Rows: numbers; then the sum of an array's elements.
template <class Shape>
struct replaced {
  using shape = Shape;
  static constexpr int rows = 6;
  using four = array<int, 4>;
  view<int const> in;
  view<int, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto v = block.per_thread(0), other = block.per_thread(-1);
    auto many = block.per_thread(four{});
    auto add = add_elements<int, 4>{};
    block.each_thread([&](thread t) {
      int const x = in(t.rank);
      v[t] = x;
      many[t] = four{{x, x + 1, x + 2, x * 5}};
    });
    for (int i = 0; i < 3; ++i) v = block.warp_shuffle_up(v, 1);
    v = block.warp_inclusive_scan(v);
    v = block.inclusive_scan(v);
    other = v;
    v = block.exclusive_scan(v, 2);
    auto sums = block.warp_reduce(v);
    block.each_thread([&](thread t) {
      out(0, t.rank) = v[t];
      out(1, t.rank) = other[t];
      out(2, t.rank) = sums[t];
    });
    sums = block.warp_reduce(other);
    many = block.warp_shuffle_down(many, 2, lanes<16>{});
    many = block.warp_shuffle_xor(many, 1);
    four const all = block.reduce(many, add);
    block.each_warp([&](auto& warp) {
      auto within = warp.inclusive_scan(many, add);
      within = warp.shuffle(within, 0, lanes<2>{});
      four const of_warp = warp.reduce(many, add);
      warp.each_lane([&](thread t) {
        four const x = within[t];
        out(4, t.rank) = x[0] + 3 * x[1] + 5 * x[2] + 7 * x[3];
        out(5, t.rank) = of_warp[0] + 3 * of_warp[1] + 5 * of_warp[2] + 7 * of_warp[3];
      });
    });
    block.each_thread([&](thread t) { out(3, t.rank) = sums[t] + all[0] + 3 * all[1] + 5 * all[2] + 7 * all[3]; });
  }
};

}  // namespace test_warps
