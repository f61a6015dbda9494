// The traps of the model itself: variables of block scope that a phase writes. Code at block scope belongs to the whole block, code
// in a phase to one thread.
#include "planted.hpp"

namespace planted {

template <bool Right>
struct sum_by_reference {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    if constexpr (Right) {
      auto value = block.per_thread(0);
      block.each_thread([&](thread t) { value[t] = in(t.rank); });
      int const sum = block.reduce(value);
      block.each_thread(1, [&](thread) { out(0) = sum; });
    } else {
      int sum = 0;
      block.each_thread([&](thread t) { sum += in(t.rank); });  // @sum_by_reference:first
      block.each_thread(1, [&](thread) { out(0) = sum; });
    }
  }
};

template <bool Right>
struct flag_in_phase {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    bool found = false;
    auto mine = block.per_thread(0);
    if constexpr (Right) {
      block.each_thread([&](thread t) { mine[t] = in(t.rank) == 11; });
      found = block.any(mine);
    } else {
      block.each_thread([&](thread t) {  // @flag_in_phase:first
        if (in(t.rank) == 11) found = true;
      });
    }
    if (found) block.each_thread(1, [&](thread) { out(0) = 1; });
  }
};

template <bool Right>
struct captured_minimum {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int least = 1000;
    if constexpr (Right) {
      auto mine = block.per_thread(least);
      block.each_thread([&](thread t) { mine[t] = in(t.rank) + t.rank; });
      least = block.reduce(mine, minimum{});
    } else {
      block.each_thread([&](thread t) { least = min(least, in(t.rank) + t.rank); });  // @captured_minimum:first
    }
    block.each_thread([&](thread t) { out(t.rank) = least; });
  }
};

// The index at which something was found.
template <bool Right>
struct captured_index {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> where;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    int where = -1;
    block.each_thread([&](thread t) {  // @captured_index:first
      if (in(t.rank) * 100 + t.rank != 1103) return;
      if constexpr (Right)
        mem.where(0) = t.rank;
      else
        where = t.rank;
    });
    block.sync();
    if constexpr (Right) where = mem.where.load(0);
    block.each_thread([&](thread t) { out(t.rank) = where; });
  }
};

// An array at block scope is the block's on a CPU and every thread's own on a GPU.
template <bool Right>
struct captured_array {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 4> counts;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    array<int, 4> counts{};
    block.each_thread(4, [&](thread t) { mem.counts(t.rank) = 0; });
    block.sync();
    block.each_thread([&](thread t) {  // @captured_array:first
      if constexpr (Right)
        mem.counts.atomic(in(t.rank) % 4).fetch_add(1);
      else
        ++counts[in(t.rank) % 4];
    });
    block.sync();
    block.each_thread(4, [&](thread t) { out(t.rank) = Right ? mem.counts.load(t.rank) : counts[t.rank]; });
  }
};

// A counter that each_index raises.
template <bool Right>
struct counts_indices {
  using shape = block_shape<8, 8>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int large = 0;
    if constexpr (Right)
      block.each_index(fixed<8, 8>{}, [&](int y, int x) {
        if (in(8 * y + x) > 5) out.atomic(0).fetch_add(1);
      });
    else
      block.each_index(fixed<8, 8>{}, [&](int y, int x) { large += in(8 * y + x) > 5; });  // @counts_indices:first
    if constexpr (!Right) block.each_thread(1, [&](thread) { out(0) = large; });
  }
};

// A running position that every thread raises: meant to be per thread.
template <bool Right>
struct running_position {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int position = 0;
    for (int round = 0; round < 2; ++round) {
      if constexpr (Right) {
        block.each_thread([&](thread t) { out(position + t.rank) = in(position + t.rank); });
        position += 32;  // at block scope
      } else {
        block.each_thread([&](thread t) {  // @running_position:first
          out(32 * round + t.rank) = in(32 * round + t.rank);
          if (t.rank == 0) position += 32;
        });
      }
    }
    block.sync();
    block.each_thread(1, [&](thread) { out(63) = in(position - 1); });
  }
};

// The same one scope further in: a variable of the warp.
template <bool Right>
struct warp_variable {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      int sum = 0;
      if constexpr (Right) {
        auto mine = warp.per_lane(0);
        warp.each_lane([&](thread t) { mine[t] = in(t.rank); });
        sum = warp.reduce(mine);
      } else {
        warp.each_lane([&](thread t) { sum += in(t.rank); });  // @warp_variable:first
      }
      warp.each_lane(1, [&](thread t) { out(t.warp) = sum; });
    });
  }
};

// The value of another thread, by a thread that was made up: on a GPU there is only the own one.
template <bool Right>
struct other_threads_value {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto value = block.per_thread(0);
    block.each_thread([&](thread t) { value[t] = in(t.rank); });
    if constexpr (Right) {
      auto const beside = block.warp_shuffle_xor(value, 1);
      block.each_thread([&](thread t) { out(t.rank) = beside[t]; });
    } else {
      block.each_thread([&](thread t) {  // @other_threads_value:maybe
        thread other = t;
        other.rank ^= 1;
        other.lane ^= 1;
        out(t.rank) = value[other];  // @other_threads_value:maybe
      });
    }
  }
};

// ... and by a pointer that thread 0 leaves for the others.
template <bool Right>
struct pointer_to_value {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto value = block.per_thread(0);
    block.each_thread([&](thread t) { value[t] = in(t.rank); });
    if constexpr (Right) {
      int const first = block.uniform(value);
      block.each_thread([&](thread t) { out(t.rank) = first; });
    } else {
      int const* first = nullptr;
      block.each_thread(1, [&](thread t) { first = &value[t]; });  // @pointer_to_value:first
      block.sync();
      block.each_thread(1, [&](thread t) { out(t.rank) = *first; });
    }
  }
};

namespace {

ints as_is(ints const& in) { return in; }

family const cases(
    "traps", __FILE__,
    {kernel_case<sum_by_reference>("sum_by_reference", {kind::block_scope_write}, {64, 1, 1}, total),
     kernel_case<flag_in_phase>("flag_in_phase", {kind::block_scope_write}, {64, 1, 1}, [](ints const&) { return ints{1}; }),
     kernel_case<captured_minimum>("captured_minimum", {kind::block_scope_write}, {64, 64, 1}, [](ints const&) { return ints(64, 1); }),
     kernel_case<captured_index>("captured_index", {kind::block_scope_write}, {64, 64, 1}, [](ints const&) { return ints(64, 3); }),
     kernel_case<captured_array>("captured_array", {kind::block_scope_write}, {64, 4, 1},
                                 [](ints const& in) {
                                   ints out(4);
                                   for (int x : in) ++out[std::size_t(x % 4)];
                                   return out;
                                 }),
     kernel_case<counts_indices>("counts_indices", {kind::block_scope_write}, {64, 1, 1},
                                 [](ints const& in) {
                                   ints out(1);
                                   for (int x : in) out[0] += x > 5;
                                   return out;
                                 }),
     kernel_case<running_position>("running_position", {kind::block_scope_write}, {64, 64, 1}, as_is),
     kernel_case<warp_variable>("warp_variable", {kind::block_scope_write}, {64, 2, 1},
                                [](ints const& in) {
                                  ints out(2);
                                  for (std::size_t i = 0; i < 64; ++i) out[i / 32] += in[i];
                                  return out;
                                }),
     kernel_case<other_threads_value>("other_threads_value", {kind::block_scope_write, kind::out_of_bounds, kind::race, kind::divergent},
                                      {64, 64, 1},
                                      [](ints const& in) {
                                        ints out(64);
                                        for (std::size_t i = 0; i < 64; ++i) out[i] = in[i ^ 1];
                                        return out;
                                      }),
     kernel_case<pointer_to_value>("pointer_to_value", {kind::block_scope_write}, {64, 64, 1},
                                   [](ints const& in) { return ints(64, in[0]); })});

}  // namespace
}  // namespace planted
