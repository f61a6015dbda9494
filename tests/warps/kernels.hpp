// Kernels that call every operation of blocks and warps and write what each thread sees.
#pragma once

#include <dolmen/core/block.hpp>
#include <dolmen/core/lanes.hpp>
#include <dolmen/core/tile.hpp>

#include "operators.hpp"

namespace test_warps {

/// Rows of `out`: reduce, inclusive scan, exclusive scan, its total, exclusive scan without a total. One run per block.
template <class Shape, class T, class Op>
struct block_collectives {
  using shape = Shape;
  static constexpr int rows = 5;
  Op op;
  T initial;
  view<T const> in;
  view<T, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    auto v = block.per_thread(initial);
    block.each_thread([&](thread t) { v[t] = in(first + t.rank); });
    T const all = block.reduce(v, op);
    auto const upto = block.inclusive_scan(v, op);
    T total = initial;
    auto const before = block.exclusive_scan(v, initial, op, total);
    auto const again = block.exclusive_scan(v, initial, op);
    block.each_thread([&](thread t) {
      out(0, first + t.rank) = all;
      out(1, first + t.rank) = upto[t];
      out(2, first + t.rank) = before[t];
      out(3, first + t.rank) = total;
      out(4, first + t.rank) = again[t];
    });
  }
};

/// Rows: reduce, inclusive, exclusive scan in segments at block scope, the same at warp scope, and the whole warp's reduction.
template <class Shape, class T, class Op, int W>
struct warp_collectives {
  using shape = Shape;
  static constexpr int rows = 7;
  Op op;
  T initial;
  view<T const> in;
  view<T, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    auto v = block.per_thread(initial);
    block.each_thread([&](thread t) { v[t] = in(first + t.rank); });
    auto const r = block.warp_reduce(v, op, lanes<W>{});
    auto const upto = block.warp_inclusive_scan(v, op, lanes<W>{});
    auto const before = block.warp_exclusive_scan(v, initial, op, lanes<W>{});
    block.each_thread([&](thread t) {
      out(0, first + t.rank) = r[t];
      out(1, first + t.rank) = upto[t];
      out(2, first + t.rank) = before[t];
    });
    block.each_warp([&](auto& warp) {
      auto const r = warp.reduce(v, op, lanes<W>{});
      auto const upto = warp.inclusive_scan(v, op, lanes<W>{});
      auto const before = warp.exclusive_scan(v, initial, op, lanes<W>{});
      T const all = warp.reduce(v, op);
      warp.each_lane([&](thread t) {
        out(3, first + t.rank) = r[t];
        out(4, first + t.rank) = upto[t];
        out(5, first + t.rank) = before[t];
        out(6, first + t.rank) = all;
      });
    });
  }
};

/// Rows: shuffle by number, by per-thread lane, up, down, xor; at block scope, then at warp scope.
template <class Shape, class T, int W>
struct shuffles {
  using shape = Shape;
  static constexpr int rows = 10;
  int n;
  view<T const> in;
  view<int const> from;
  view<T, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto v = block.per_thread(T{});
    auto lane = block.per_thread(0);
    block.each_thread([&](thread t) {
      v[t] = in(t.rank);
      lane[t] = from(t.rank);
    });
    auto const a = block.warp_shuffle(v, n, lanes<W>{}), b = block.warp_shuffle(v, lane, lanes<W>{}),
               c = block.warp_shuffle_up(v, n, lanes<W>{}), d = block.warp_shuffle_down(v, n, lanes<W>{}),
               e = block.warp_shuffle_xor(v, n, lanes<W>{});
    block.each_thread([&](thread t) {
      out(0, t.rank) = a[t];
      out(1, t.rank) = b[t];
      out(2, t.rank) = c[t];
      out(3, t.rank) = d[t];
      out(4, t.rank) = e[t];
    });
    block.each_warp([&](auto& warp) {
      auto const a = warp.shuffle(v, n, lanes<W>{}), b = warp.shuffle(v, lane, lanes<W>{}), c = warp.shuffle_up(v, n, lanes<W>{}),
                 d = warp.shuffle_down(v, n, lanes<W>{}), e = warp.shuffle_xor(v, n, lanes<W>{});
      warp.each_lane([&](thread t) {
        out(5, t.rank) = a[t];
        out(6, t.rank) = b[t];
        out(7, t.rank) = c[t];
        out(8, t.rank) = d[t];
        out(9, t.rank) = e[t];
      });
    });
  }
};

/// Rows: ballot, any, all, match in segments at block scope; match in segments, ballot, any, all of the warp at warp scope.
template <class Shape, class T, int W>
struct votes {
  using shape = Shape;
  static constexpr int rows = 8;
  view<T const> in;
  view<std::uint32_t, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto v = block.per_thread(T{});
    block.each_thread([&](thread t) { v[t] = in(t.rank); });
    auto const ballot = block.warp_ballot(v, lanes<W>{});
    auto const any = block.warp_any(v, lanes<W>{}), all = block.warp_all(v, lanes<W>{});
    auto const match = block.warp_match(v, lanes<W>{});
    block.each_thread([&](thread t) {
      out(0, t.rank) = ballot[t];
      out(1, t.rank) = any[t];
      out(2, t.rank) = all[t];
      out(3, t.rank) = match[t];
    });
    block.each_warp([&](auto& warp) {
      auto const match = warp.match(v, lanes<W>{});
      std::uint32_t const bits = warp.ballot(v);
      bool const any = warp.any(v), all = warp.all(v);
      warp.each_lane([&](thread t) {
        out(4, t.rank) = match[t];
        out(5, t.rank) = bits;
        out(6, t.rank) = any;
        out(7, t.rank) = all;
      });
    });
  }
};

/// Rows: any, all, count, uniform (thread 0 and `rank`), broadcast of the block.
template <class Shape, class T>
struct block_votes {
  using shape = Shape;
  static constexpr int rows = 6;
  int rank;
  view<T const> in;
  view<double, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto v = block.per_thread(T{});
    block.each_thread([&](thread t) { v[t] = in(t.rank); });
    bool const any = block.any(v), all = block.all(v);
    int const count = block.count(v);
    T const zeroth = block.uniform(v), chosen = block.uniform(v, rank), sent = block.broadcast(v, rank);
    block.each_thread([&](thread t) {
      out(0, t.rank) = any;
      out(1, t.rank) = all;
      out(2, t.rank) = count;
      out(3, t.rank) = double(zeroth);
      out(4, t.rank) = double(chosen);
      out(5, t.rank) = double(sent);
    });
  }
};

}  // namespace test_warps
