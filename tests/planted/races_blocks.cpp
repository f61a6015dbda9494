// Races between the blocks of a launch: a block's barrier orders nothing between blocks.
#include "planted.hpp"

namespace planted {

// a[i] += a[i + block size], in place.
template <bool Right>
struct next_block {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    index_t const from = Right ? 256 : 64;  // right: what is read, nobody writes
    block.each_thread([&](thread t) {
      int const beside = out.load(first + t.rank + from);  // @next_block:first
      out(first + t.rank) = beside + in(first + t.rank);   // @next_block:second
    });
  }
};

template <bool Right>
struct global_histogram {
  using shape = block_shape<1>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread) {
      int const bin = in(block.index.x) % 4;
      if constexpr (Right)
        out.atomic(bin).fetch_add(1);
      else
        out(bin) += 1;  // @global_histogram:first @global_histogram:second
    });
  }
};

// Atomic with respect to the own block only.
template <bool Right>
struct block_scope_atomic {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    constexpr auto scope = Right ? memory_scope::device : memory_scope::block;
    block.each_thread([&](thread t) {
      out.atomic(0).fetch_add(in(t.rank), memory_order::relaxed, scope);  // @block_scope_atomic:first @block_scope_atomic:second
    });
  }
};

// One block looks at the counter that all raise.
template <bool Right>
struct peeks_at_counter {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(1, [&](thread) { out.atomic(0).fetch_add(in(block.index.x)); });  // @peeks_at_counter:second
    block.sync();
    block.each_thread(1, [&](thread) {
      int seen;
      if constexpr (Right)
        seen = out.atomic(0).load();
      else
        seen = out(0);  // @peeks_at_counter:first
      if (seen > 0) out.atomic(1).fetch_add(1);
    });
  }
};

// Block 0 resets by a plain store what the others swap.
template <bool Right>
struct plain_reset {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(1, [&](thread) {
      int expected = -1;
      if (block.index.x > 0)
        out.atomic(0).compare_exchange(expected, in(block.index.x));  // @plain_reset:second
      else if constexpr (Right)
        out.atomic(0).store(0);
      else
        out(0) = 0;  // @plain_reset:first
    });
  }
};

template <bool Right>
struct same_flag {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(Right && block.index.x > 0 ? 0 : 1, [&](thread) { out(0) = in(0); });  // @same_flag:first @same_flag:second
  }
};

template <bool Right>
struct plain_maximum {
  using shape = block_shape<1>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread) {
      int const mine = in(block.index.x);
      if constexpr (Right)
        out.atomic(0).fetch_max(mine);
      else if (out.load(0) < mine)  // @plain_maximum:first @plain_maximum:maybe
        out(0) = mine;              // @plain_maximum:second
    });
  }
};

// Each block writes one element too many.
template <bool Right>
struct overlapping_ranges {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int const from = block.index.x * 16;
    block.each_thread(Right ? 16 : 17, [&](thread t) {
      out(from + t.rank) = in(from + t.rank);  // @overlapping_ranges:first @overlapping_ranges:second
    });
  }
};

// Smoothing in place: the halo belongs to the neighbour. Within the block all is read before anything is written.
template <bool Right>
struct stencil_in_place {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int const first = int(block.first_index()), n = int(in.size());
    auto sum = block.per_thread(0);
    block.each_thread([&](thread t) {
      int const i = first + t.rank;
      for (int k = max(i - 1, 0); k <= min(i + 1, n - 1); ++k) {
        if constexpr (Right)
          sum[t] += in(k);
        else
          sum[t] += out.load(k);  // @stencil_in_place:first
      }
    });
    block.sync();
    block.each_thread([&](thread t) { out(first + t.rank) = sum[t]; });  // @stencil_in_place:second
  }
};

// The block's barrier where the grid's is needed.
template <bool Right>
struct grid_barrier_missing {
  static constexpr bool needs_cooperative = true;
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    index_t const first = block.first_index(), other = (block.grid.x - 1 - block.index.x) * 32;
    block.each_thread([&](thread t) { out(first + t.rank) = in(first + t.rank); });  // @grid_barrier_missing:second
    if constexpr (Right)
      block.grid_sync();
    else
      block.sync();
    auto seen = block.per_thread(0);
    block.each_thread([&](thread t) { seen[t] = out.load(other + t.rank); });  // @grid_barrier_missing:first
    block.grid_sync();
    block.each_thread([&](thread t) { out(first + t.rank) = seen[t]; });
  }
};

// Two indices, one element.
template <bool Right>
struct halved_index {
  view<int const> in;
  view<int> out;
  DOLMEN_FN void operator()(index_t i) const {
    index_t const to = Right ? i : i / 2;
    out(to) = in(i);  // @halved_index:first @halved_index:second
  }
};

// Each block waits for the next one, in a ring: without a cooperative launch, it need not run before this one ends.
template <bool Right>
struct spins {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(1, [&](thread) {
      int const me = block.index.x, other = (me + 1) % block.grid.x;
      out.atomic(me).store(in(me), memory_order::release);
      while (out.atomic(other).load(memory_order::acquire) == 0) {  // @spins:first
      }
    });
  }
};

namespace {

template <bool Right>
bool each_index_halved(stream const& s) {
  ints const host = numbers(64);
  auto const in = upload(s, host);
  auto out = upload(s, ints(64));
  for_each_index(s, 64, halved_index<Right>{in.view(), out.view()});
  return holds<Right>(s, out, host);
}

// More blocks than a CPU has workers, so that it never ends by luck.
template <bool Right>
bool spin(stream const& s) {
  index_t const blocks = Right ? 2 : 64;
  ints const host = numbers(blocks);
  auto const in = upload(s, host);
  auto out = upload(s, ints(host.size()));
  spins<Right> const kernel{in.view(), out.view()};
  if constexpr (Right) {
    require_blocks<spins<Right>>(s, blocks);
    launch_cooperative(s, grid(blocks), kernel);
  } else {
    launch(s, grid(blocks), kernel);
  }
  return holds<Right>(s, out, host);
}

family const cases("races_blocks", __FILE__,
                   {kernel_case<next_block>("next_block", {kind::race}, {256, 512, 4},
                                            [](ints const& in) {
                                              ints out(512);
                                              for (std::size_t i = 0; i < 256; ++i) out[i] = in[i];
                                              return out;
                                            }),
                    kernel_case<global_histogram>("global_histogram", {kind::race}, {16, 4, 16},
                                                  [](ints const& in) {
                                                    ints out(4);
                                                    for (int x : in) ++out[std::size_t(x % 4)];
                                                    return out;
                                                  }),
                    kernel_case<block_scope_atomic>("block_scope_atomic", {kind::race}, {32, 1, 3},
                                                    [](ints const& in) {
                                                      ints out(1);
                                                      for (int x : in) out[0] += 3 * x;
                                                      return out;
                                                    }),
                    kernel_case<peeks_at_counter>("peeks_at_counter", {kind::race}, {4, 2, 4},
                                                  [](ints const& in) {
                                                    return ints{in[0] + in[1] + in[2] + in[3], 4};
                                                  }),
                    kernel_case<plain_reset>("plain_reset", {kind::race}, {3, 1, 3}, [](ints const&) { return ints{0}; }),
                    kernel_case<same_flag>("same_flag", {kind::same_value}, {1, 1, 4}, [](ints const& in) { return ints{in[0]}; }),
                    kernel_case<plain_maximum>("plain_maximum", {kind::race}, {8, 1, 8}, [](ints const&) { return ints{11}; }),
                    kernel_case<overlapping_ranges>("overlapping_ranges", {kind::same_value}, {65, 65, 4},
                                                    [](ints const& in) {
                                                      ints out(in);
                                                      out[64] = 0;
                                                      return out;
                                                    }),
                    kernel_case<stencil_in_place>("stencil_in_place", {kind::race}, {64, 64, 2},
                                                  [](ints const& in) {
                                                    ints out(64);
                                                    for (std::size_t i = 0; i < 64; ++i)
                                                      out[i] = (i > 0 ? in[i - 1] : 0) + in[i] + (i < 63 ? in[i + 1] : 0);
                                                    return out;
                                                  }),
                    kernel_case<grid_barrier_missing>("grid_barrier_missing", {kind::race}, {64, 64, 2},
                                                      [](ints const& in) {
                                                        ints out(64);
                                                        for (std::size_t i = 0; i < 64; ++i) out[i] = in[i ^ 32];
                                                        return out;
                                                      }),
                    {"halved_index", {kind::race}, each_index_halved<false>, each_index_halved<true>},
                    {"spins", {kind::spin}, spin<false>, spin<true>}});

}  // namespace
}  // namespace planted
