// The traps of the model itself: accesses at block scope, which all threads make, and barriers and phases inside of phases.
#include "planted.hpp"

namespace planted {

// At block scope all threads store.
template <bool Right>
struct block_scope_store {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> total;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    if constexpr (Right)
      block.each_thread(1, [&](thread) { mem.total(0) = 5; });
    else
      mem.total(0) = 5;  // @block_scope_store:first @block_scope_store:second
    block.sync();
    block.each_thread([&](thread t) { out(t.rank) = mem.total.load(0) + in(t.rank); });
  }
};

// ... and so all add.
template <bool Right>
struct block_scope_increment {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> rounds;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.rounds(0) = 0; });
    block.sync();
    for (int round = 0; round < 3; ++round) {
      if constexpr (Right)
        block.each_thread(1, [&](thread) { mem.rounds(0) += 1; });
      else
        mem.rounds(0) += 1;  // @block_scope_increment:first @block_scope_increment:second
      block.sync();
    }
    block.each_thread([&](thread t) { out(t.rank) = mem.rounds.load(0) + in(t.rank); });
  }
};

template <bool Right>
struct block_scope_result {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto value = block.per_thread(0);
    block.each_thread([&](thread t) { value[t] = in(block.first_index() + t.rank); });
    int const sum = block.reduce(value);
    if constexpr (Right)
      block.each_thread(1, [&](thread) { out(block.index.x) = sum; });
    else
      out(block.index.x) = sum;  // @block_scope_result:first @block_scope_result:second
  }
};

// Block scope reads what the phase before it wrote: the phase is no barrier.
template <bool Right>
struct block_scope_load {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> count;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.count(0) = in(0) + 20; });  // @block_scope_load:second
    if constexpr (Right) block.sync();
    int const count = mem.count.load(0);  // @block_scope_load:first
    block.each_thread(count, [&](thread t) { out(t.rank) = in(t.rank); });
  }
};

// Block scope reads before a phase writes: a fast thread writes while a slow one has yet to read.
template <bool Right>
struct block_scope_old_value {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> count;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.count(0) = in(0) + 20; });
    block.sync();
    int const count = mem.count.load(0);  // @block_scope_old_value:second
    if constexpr (Right) block.sync();
    block.each_thread(1, [&](thread) { mem.count(0) = 0; });  // @block_scope_old_value:first
    block.each_thread(count, [&](thread t) { out(t.rank) = in(t.rank); });
  }
};

// A ticket at block scope is drawn by every thread, and each gets another one.
template <bool Right>
struct block_scope_ticket {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int ticket;
    if constexpr (Right) {
      auto drawn = block.per_thread(0);
      block.each_thread(1, [&](thread t) { drawn[t] = out.atomic(0).fetch_add(1); });
      ticket = block.uniform(drawn);
    } else {
      ticket = out.atomic(0).fetch_add(1);  // @block_scope_ticket:maybe
    }
    if (ticket == block.grid.x - 1) {
      block.sync();                                                // @block_scope_ticket:maybe
      block.each_thread(1, [&](thread) { out(1) = in(ticket); });  // @block_scope_ticket:maybe
    }
  }
};

template <bool Right>
struct sync_inside {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.staged(t.rank) = in(t.rank); });
    if constexpr (Right)
      block.sync();
    else
      block.each_thread(32, [&](thread) { block.sync(); });  // @sync_inside:first
    if constexpr (Right) block.each_thread([&](thread t) { out(t.rank) = mem.staged.load(63 - t.rank); });
  }
};

template <bool Right>
struct phase_in_phase {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    if constexpr (Right) {
      block.each_thread([&](thread t) {
        if (t.rank % 2 == 0) out(t.rank) = in(t.rank);
      });
    } else {
      block.each_thread([&](thread t) {
        if (t.rank % 2 == 0) block.each_thread(1, [&](thread u) { out(u.rank) = in(t.rank); });  // @phase_in_phase:first
      });
    }
  }
};

template <bool Right>
struct collective_in_phase {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto value = block.per_thread(0);
    block.each_thread([&](thread t) { value[t] = in(t.rank); });
    if constexpr (Right) {
      int const sum = block.reduce(value);
      block.each_thread(1, [&](thread) { out(0) = sum; });
    } else {
      block.each_thread(1, [&](thread) {
        int const sum = block.reduce(value);  // @collective_in_phase:first
        out(0) = sum;
      });
    }
  }
};

template <bool Right>
struct warp_sync_in_lanes {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_warp([&](auto& warp) {
      warp.each_lane([&](thread t) { mem.staged(t.rank) = in(t.rank); });
      if constexpr (Right)
        warp.sync();
      else
        warp.each_lane(16, [&](thread) { warp.sync(); });  // @warp_sync_in_lanes:first
      if constexpr (Right) warp.each_lane([&](thread t) { out(t.rank) = mem.staged.load(t.rank ^ 31); });
    });
  }
};

// The block's barrier at warp scope: warps with other trip counts do not meet it.
template <bool Right>
struct block_sync_in_warp {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      for (int round = 0; round <= warp.index; ++round) {
        warp.each_lane([&](thread t) { out(t.rank) += in(t.rank); });
        if constexpr (Right)
          warp.sync();
        else
          block.sync();  // @block_sync_in_warp:first
      }
    });
  }
};

// What the last thread to come left decides which barriers follow. A GPU may do another thing each time, but all threads agree
// and all accesses are ordered: "any of them" is a rule that kernels are allowed. So there is nothing to find in either form.
template <bool Right>
struct order_decides {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> last;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.last(0) = 0; });
    block.sync();
    block.each_thread([&](thread t) {
      if constexpr (Right)
        mem.last.atomic(0).fetch_max(t.rank);
      else
        mem.last.atomic(0).store(t.rank);
    });
    block.sync();
    int const rounds = mem.last.load(0) % 16;
    for (int round = 0; round < rounds; ++round) {
      block.each_thread(1, [&](thread) { out(round) = in(round); });  // @order_decides:maybe
      block.sync();                                                   // @order_decides:maybe
    }
    block.each_thread(1, [&](thread) { out(63) = 1; });  // @order_decides:maybe
  }
};

namespace {

ints reversed(ints const& in) { return ints(in.rbegin(), in.rend()); }

ints first_rows(ints const& in) {
  ints out(64);
  for (std::size_t i = 0; i < std::size_t(in[0] + 20); ++i) out[i] = in[i];
  return out;
}

family const cases("traps", __FILE__,
                   {kernel_case<block_scope_store>("block_scope_store", {kind::race, kind::block_scope_write}, {64, 64, 1},
                                                   [](ints const& in) {
                                                     ints out(in);
                                                     for (int& x : out) x += 5;
                                                     return out;
                                                   }),
                    kernel_case<block_scope_increment>("block_scope_increment", {kind::race, kind::block_scope_write}, {64, 64, 1},
                                                       [](ints const& in) {
                                                         ints out(in);
                                                         for (int& x : out) x += 3;
                                                         return out;
                                                       }),
                    kernel_case<block_scope_result>("block_scope_result", {kind::race, kind::block_scope_write}, {128, 2, 2},
                                                    [](ints const& in) {
                                                      ints out(2);
                                                      for (std::size_t i = 0; i < 128; ++i) out[i / 64] += in[i];
                                                      return out;
                                                    }),
                    kernel_case<block_scope_load>("block_scope_load", {kind::race}, {64, 64, 1}, first_rows),
                    kernel_case<block_scope_old_value>("block_scope_old_value", {kind::race}, {64, 64, 1}, first_rows),
                    kernel_case<block_scope_ticket>("block_scope_ticket", {kind::divergent, kind::race, kind::block_scope_write}, {3, 2, 3},
                                                    [](ints const& in) {
                                                      return ints{3, in[2]};
                                                    }),
                    kernel_case<sync_inside>("sync_inside", {kind::sync_in_phase}, {64, 64, 1}, reversed),
                    kernel_case<phase_in_phase>("phase_in_phase", {kind::sync_in_phase}, {32, 32, 1},
                                                [](ints const& in) {
                                                  ints out(32);
                                                  for (std::size_t i = 0; i < 32; i += 2) out[i] = in[i];
                                                  return out;
                                                }),
                    kernel_case<collective_in_phase>("collective_in_phase", {kind::sync_in_phase}, {64, 1, 1}, total),
                    kernel_case<warp_sync_in_lanes>("warp_sync_in_lanes", {kind::sync_in_phase}, {64, 64, 1},
                                                    [](ints const& in) {
                                                      ints out(64);
                                                      for (std::size_t i = 0; i < 64; ++i) out[i] = in[i ^ 31];
                                                      return out;
                                                    }),
                    kernel_case<block_sync_in_warp>("block_sync_in_warp", {kind::sync_in_phase, kind::divergent}, {64, 64, 1},
                                                    [](ints const& in) {
                                                      ints out(in);
                                                      for (std::size_t i = 32; i < 64; ++i) out[i] *= 2;
                                                      return out;
                                                    }),
                    kernel_case<order_decides>("order_decides", {}, {64, 64, 1}, [](ints const& in) {
                      ints out(64);
                      for (std::size_t i = 0; i < 15; ++i) out[i] = in[i];
                      out[63] = 1;
                      return out;
                    })});

}  // namespace
}  // namespace planted
