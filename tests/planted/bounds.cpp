// Indices outside of a view or tile, whether or not memory lies there.
#include "planted.hpp"

namespace planted {

template <bool Right>
struct off_by_one {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const last = in.size() - (Right ? 1 : 0);
    block.each_thread(last, [&](thread t) { out(t.rank) = in(t.rank + 1) - in(t.rank); });  // @off_by_one:first
  }
};

// One block too many, and no bound.
template <bool Right>
struct last_block {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    index_t const active = Right ? out.size() - first : 64;
    block.each_thread(active, [&](thread t) {
      out(first + t.rank) = 3;  // @last_block:first
    });
  }
};

template <bool Right>
struct negative {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      int const before = Right ? max(t.rank - 1, 0) : t.rank - 1;
      out(t.rank) = in(before);  // @negative:first
    });
  }
};

// The guard stands behind the read that it guards.
template <bool Right>
struct late_guard {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      auto const i = block.first_index() + t.rank;
      if (Right && i >= in.size()) return;
      int const x = in(i);  // @late_guard:first
      if (i < in.size()) out(i) = x;
    });
  }
};

// At block scope, where all threads read the same.
template <bool Right>
struct uniform_index {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int const end = in(Right ? in.size() - 1 : in.size());  // @uniform_index:first
    block.each_thread([&](thread t) { out(t.rank) = end; });
  }
};

template <bool Right>
struct tile_end {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
    tile<int, 64> beside;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) {
      mem.staged(t.rank) = in(t.rank);
      mem.beside(t.rank) = 0;
    });
    block.sync();
    block.each_thread([&](thread t) {
      int const i = Right ? (t.rank + 1) % 64 : t.rank + 1;
      out(t.rank) = mem.staged.load(i);  // @tile_end:first
    });
  }
};

// Column 8 of a row is column 0 of the next one.
template <bool Right>
struct tile_column {
  using shape = block_shape<8, 8>;
  struct shared {
    tile<int, 8, 8> cells;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.cells(t.y, t.x) = in(t.rank); });
    block.sync();
    block.each_thread(56, [&](thread t) {
      int const column = Right ? (t.x + 1) % 8 : t.x + 1;
      out(t.rank) = mem.cells.load(t.y, column);  // @tile_column:first
    });
  }
};

template <bool Right>
struct tile_plane {
  using shape = block_shape<4, 4, 4>;
  struct shared {
    tile<int, 4, 4, 4> cells;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.cells(t.z, t.y, t.x) = in(t.rank); });
    block.sync();
    block.each_thread([&](thread t) {
      int const row = Right ? (t.y + 3) % 4 : t.y - 1;
      if (t.z == 0 && row < 0) return;              // a row before, in the plane before, is inside the array
      out(t.rank) = mem.cells.load(t.z, row, t.x);  // @tile_plane:first
    });
  }
};

template <bool Right>
struct tile_store {
  using shape = block_shape<32>;
  struct shared {
    tile<int, 30> staged;
    tile<int, 2> beside;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(2, [&](thread t) { mem.beside(t.rank) = 0; });
    block.sync();
    int const active = Right ? 30 : 32;
    block.each_thread(active, [&](thread t) { mem.staged(t.rank) = in(t.rank); });  // @tile_store:first
    block.sync();
    block.each_thread(30, [&](thread t) { out(t.rank) = mem.staged.load(29 - t.rank); });
  }
};

template <bool Right>
struct bin_too_high {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 8> bins;
    tile<int, 8> beside;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(8, [&](thread t) {
      mem.bins(t.rank) = 0;
      mem.beside(t.rank) = 0;
    });
    block.sync();
    block.each_thread([&](thread t) {
      int const bin = Right ? in(t.rank) % 8 : in(t.rank) - 1;  // 0 to 10
      mem.bins.atomic(bin).fetch_add(1);                        // @bin_too_high:first
    });
    block.sync();
    block.each_thread(8, [&](thread t) { out(t.rank) = mem.bins.load(t.rank); });
  }
};

template <bool Right>
struct rank_too_high {
  using shape = block_shape<48>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto value = block.per_thread(0);
    block.each_thread([&](thread t) { value[t] = in(t.rank); });
    int const one = block.uniform(value, int(in.size()) - (Right ? 1 : 0));  // @rank_too_high:first
    block.each_thread([&](thread t) { out(t.rank) = one; });
  }
};

template <bool Right>
struct lane_too_high {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      auto value = warp.per_lane(0);
      warp.each_lane([&](thread t) { value[t] = in(t.rank); });
      int const one = warp.broadcast(value, int(in.size()) - (Right ? 1 : 0));  // @lane_too_high:first
      warp.each_lane([&](thread t) { out(t.rank) = one; });
    });
  }
};

template <bool Right>
struct negative_extent {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int const rest = int(in.size()) - (Right ? 0 : 40);
    block.each_index(rest, [&](int i) { out(i) = in(i); });  // @negative_extent:first
  }
};

namespace {

family const cases(
    "bounds", __FILE__,
    {kernel_case<off_by_one>("off_by_one", {kind::out_of_bounds}, {64, 64, 1},
                             [](ints const& in) {
                               ints out(64);
                               for (std::size_t i = 0; i < 63; ++i) out[i] = in[i + 1] - in[i];
                               return out;
                             }),
     kernel_case<last_block>("last_block", {kind::out_of_bounds}, {0, 100, 3}, [](ints const&) { return ints(100, 3); }),
     kernel_case<negative>("negative", {kind::out_of_bounds}, {64, 64, 1},
                           [](ints const& in) {
                             ints out(64);
                             for (std::size_t i = 0; i < 64; ++i) out[i] = in[i > 0 ? i - 1 : 0];
                             return out;
                           }),
     kernel_case<late_guard>("late_guard", {kind::out_of_bounds}, {100, 100, 2}, [](ints const& in) { return in; }),
     kernel_case<uniform_index>("uniform_index", {kind::out_of_bounds}, {10, 64, 1}, [](ints const& in) { return ints(64, in[9]); }),
     kernel_case<tile_end>("tile_end", {kind::out_of_bounds}, {64, 64, 1},
                           [](ints const& in) {
                             ints out(64);
                             for (std::size_t i = 0; i < 64; ++i) out[i] = in[(i + 1) % 64];
                             return out;
                           }),
     kernel_case<tile_column>("tile_column", {kind::out_of_bounds}, {64, 64, 1},
                              [](ints const& in) {
                                ints out(64);
                                for (std::size_t i = 0; i < 56; ++i) out[i] = in[i / 8 * 8 + (i + 1) % 8];
                                return out;
                              }),
     kernel_case<tile_plane>("tile_plane", {kind::out_of_bounds}, {64, 64, 1},
                             [](ints const& in) {
                               ints out(64);
                               for (std::size_t i = 0; i < 64; ++i) out[i] = in[i / 16 * 16 + (i + 12) % 16];
                               return out;
                             }),
     kernel_case<tile_store>("tile_store", {kind::out_of_bounds}, {32, 30, 1},
                             [](ints const& in) { return ints(in.rend() - 30, in.rend()); }),
     kernel_case<bin_too_high>("bin_too_high", {kind::out_of_bounds}, {64, 8, 1},
                               [](ints const& in) {
                                 ints out(8);
                                 for (int x : in) ++out[std::size_t(x % 8)];
                                 return out;
                               }),
     kernel_case<rank_too_high>("rank_too_high", {kind::out_of_bounds}, {48, 48, 1}, [](ints const& in) { return ints(48, in[47]); }),
     kernel_case<lane_too_high>("lane_too_high", {kind::out_of_bounds}, {32, 32, 1}, [](ints const& in) { return ints(32, in[31]); }),
     kernel_case<negative_extent>("negative_extent", {kind::out_of_bounds}, {32, 32, 1}, [](ints const& in) { return in; })});

}  // namespace
}  // namespace planted
