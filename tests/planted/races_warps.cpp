// Races between the lanes of a warp, and between warps that only warp barriers stand between.
#include "planted.hpp"

namespace planted {

// Lane 0 adds its warp's words: lanes run together less often than it seems.
template <bool Right>
struct lane_zero {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 2, 32> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_warp([&](auto& warp) {
      warp.each_lane([&](thread t) { mem.staged(t.warp, t.lane) = in(t.rank); });  // @lane_zero:second
      if constexpr (Right) warp.sync();
      warp.each_lane(1, [&](thread t) {
        int sum = 0;
        for (int lane = 0; lane < 32; ++lane) sum += mem.staged.load(t.warp, lane);  // @lane_zero:first
        out(t.warp) = sum;
      });
    });
  }
};

// The same at block scope, with the block's barrier.
template <bool Right>
struct lane_zero_of_block {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.staged(t.rank) = in(t.rank); });  // @lane_zero_of_block:second
    if constexpr (Right) block.sync();
    block.each_thread([&](thread t) {
      if (t.lane != 0) return;
      int sum = 0;
      for (int i = 0; i < 32; ++i) sum += mem.staged.load(t.rank + i);  // @lane_zero_of_block:first
      out(t.warp) = sum;
    });
  }
};

// A warp's barrier where the block's is needed.
template <bool Right>
struct other_warps_word {
  using shape = block_shape<128>;
  struct shared {
    tile<int, 128> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_warp([&](auto& warp) {
      warp.each_lane([&](thread t) { mem.staged(t.rank) = in(t.rank); });  // @other_warps_word:second
      warp.sync();
    });
    if constexpr (Right) block.sync();
    block.each_warp([&](auto& warp) {
      warp.each_lane([&](thread t) { out(t.rank) = mem.staged.load((t.rank + 32) % 128); });  // @other_warps_word:first
    });
  }
};

// The same words stay within the warp, but the last lane reaches into the next one.
template <bool Right>
struct beyond_the_warp {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 65> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.staged(64) = 0; });
    block.sync();
    block.each_warp([&](auto& warp) {
      warp.each_lane([&](thread t) { mem.staged(t.rank) = in(t.rank); });  // @beyond_the_warp:second
      warp.sync();
      int const reads = Right ? 31 : 32;
      warp.each_lane(reads, [&](thread t) { out(t.rank) = mem.staged.load(t.rank + 1); });  // @beyond_the_warp:first
    });
  }
};

// A collective of the warp orders no memory.
template <bool Right>
struct collective_no_barrier {
  using shape = block_shape<32>;
  struct shared {
    tile<int, 32> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_warp([&](auto& warp) {
      auto mine = warp.per_lane(0);
      warp.each_lane([&](thread t) {
        mine[t] = in(t.rank);
        mem.staged(t.lane) = in(t.rank);  // @collective_no_barrier:second
      });
      int const total = warp.reduce(mine);
      if constexpr (Right) warp.sync();
      warp.each_lane([&](thread t) { out(t.rank) = total - mem.staged.load(31 - t.lane); });  // @collective_no_barrier:first
    });
  }
};

// Nor does a shuffle at block scope.
template <bool Right>
struct shuffle_no_barrier {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto mine = block.per_thread(0);
    block.each_thread([&](thread t) {
      mine[t] = in(t.rank);
      mem.staged(t.rank) = in(t.rank);  // @shuffle_no_barrier:second
    });
    auto const beside = block.warp_shuffle_xor(mine, 1);
    if constexpr (Right) block.sync();
    block.each_thread([&](thread t) { out(t.rank) = beside[t] - mem.staged.load(t.rank ^ 1); });  // @shuffle_no_barrier:first
  }
};

// A block reduction is a barrier: what one phase wrote before it, all may read behind it. Before it, they may not.
template <bool Right>
struct read_before_reduction {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto mine = block.per_thread(0);
    block.each_thread([&](thread t) { mem.staged(t.rank) = mine[t] = in(t.rank); });                      // @read_before_reduction:second
    if constexpr (!Right) block.each_thread([&](thread t) { mine[t] += mem.staged.load(63 - t.rank); });  // @read_before_reduction:first
    int const total = block.reduce(mine);
    block.each_thread([&](thread t) { out(t.rank) = total - mem.staged.load(63 - t.rank); });
  }
};

// Write after read within a warp.
template <bool Right>
struct shift_in_warp {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> cells;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_warp([&](auto& warp) {
      auto moving = warp.per_lane(0);
      warp.each_lane([&](thread t) { mem.cells(t.rank) = in(t.rank); });
      warp.sync();
      warp.each_lane([&](thread t) { moving[t] = mem.cells.load(t.rank ^ 1); });  // @shift_in_warp:second
      if constexpr (Right) warp.sync();
      warp.each_lane([&](thread t) { mem.cells(t.rank) = moving[t]; });  // @shift_in_warp:first
      warp.each_lane([&](thread t) { out(t.rank) = mem.cells.load(t.rank); });
    });
  }
};

// Warps may run different numbers of rounds; each orders its own lanes in each of them.
template <bool Right>
struct uneven_rounds {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> cells;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_warp([&](auto& warp) {
      warp.each_lane([&](thread t) { mem.cells(t.rank) = in(t.rank); });
      warp.sync();
      auto sum = warp.per_lane(0);
      for (int round = 0; round <= warp.index; ++round) {
        warp.each_lane([&](thread t) { sum[t] += mem.cells.load(t.rank ^ (1 + round)); });  // @uneven_rounds:second
        if constexpr (Right) warp.sync();
        warp.each_lane([&](thread t) { mem.cells(t.rank) = in(t.rank) + round; });  // @uneven_rounds:first
        warp.sync();
      }
      warp.each_lane([&](thread t) { out(t.rank) = sum[t]; });
    });
  }
};

namespace {

ints sums_of_warps(ints const& in) {
  ints out(2);
  for (std::size_t i = 0; i < 64; ++i) out[i / 32] += in[i];
  return out;
}

family const cases("races_warps", __FILE__,
                   {kernel_case<lane_zero>("lane_zero", {kind::race}, {64, 2, 1}, sums_of_warps),
                    kernel_case<lane_zero_of_block>("lane_zero_of_block", {kind::race}, {64, 2, 1}, sums_of_warps),
                    kernel_case<other_warps_word>("other_warps_word", {kind::race}, {128, 128, 1},
                                                  [](ints const& in) {
                                                    ints out(128);
                                                    for (std::size_t i = 0; i < 128; ++i) out[i] = in[(i + 32) % 128];
                                                    return out;
                                                  }),
                    kernel_case<beyond_the_warp>("beyond_the_warp", {kind::race}, {64, 64, 1},
                                                 [](ints const& in) {
                                                   ints out(64);
                                                   for (std::size_t i = 0; i < 64; ++i) out[i] = i % 32 < 31 ? in[i + 1] : 0;
                                                   return out;
                                                 }),
                    kernel_case<collective_no_barrier>("collective_no_barrier", {kind::race}, {32, 32, 1},
                                                       [](ints const& in) {
                                                         ints out(32);
                                                         int sum = 0;
                                                         for (int x : in) sum += x;
                                                         for (std::size_t i = 0; i < 32; ++i) out[i] = sum - in[31 - i];
                                                         return out;
                                                       }),
                    kernel_case<shuffle_no_barrier>("shuffle_no_barrier", {kind::race}, {64, 64, 1}, [](ints const&) { return ints(64); }),
                    kernel_case<read_before_reduction>("read_before_reduction", {kind::race}, {64, 64, 1},
                                                       [](ints const& in) {
                                                         ints out(64);
                                                         int sum = 0;
                                                         for (int x : in) sum += x;
                                                         for (std::size_t i = 0; i < 64; ++i) out[i] = sum - in[63 - i];
                                                         return out;
                                                       }),
                    kernel_case<shift_in_warp>("shift_in_warp", {kind::race}, {64, 64, 1},
                                               [](ints const& in) {
                                                 ints out(64);
                                                 for (std::size_t i = 0; i < 64; ++i) out[i] = in[i ^ 1];
                                                 return out;
                                               }),
                    kernel_case<uneven_rounds>("uneven_rounds", {kind::race}, {64, 64, 1}, [](ints const& in) {
                      ints out(64);
                      for (std::size_t i = 0; i < 64; ++i) out[i] = in[i ^ 1] + (i < 32 ? 0 : in[i ^ 2]);
                      return out;
                    })});

}  // namespace
}  // namespace planted
