// Asynchronous copies into shared memory: on their way until the issuing thread waited and, for the others, a barrier followed.
#include "planted.hpp"

namespace planted {

template <bool Right>
struct no_wait {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.copy_async(mem.staged, fixed<64>{}, in, block.first_index());  // @no_wait:second
    block.commit_copies();
    if constexpr (Right) block.wait_copies(0);
    block.sync();
    block.each_thread([&](thread t) { out(block.first_index() + t.rank) = mem.staged.load(t.rank ^ 5); });  // @no_wait:first
  }
};

// The thread has waited for its own copies, but it reads those of others.
template <bool Right>
struct wait_without_barrier {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.copy_async(mem.staged, fixed<64>{}, in, block.first_index());  // @wait_without_barrier:second
    block.commit_copies();
    block.wait_copies(0);
    if constexpr (Right) block.sync();
    block.each_thread([&](thread t) {
      int sum = 0;
      for (int i = 0; i < 64; ++i) sum += mem.staged.load(i);  // @wait_without_barrier:first
      out(block.first_index() + t.rank) = sum;
    });
  }
};

// wait_copies(1) leaves the newest group under way, and that is the one that is read.
template <bool Right>
struct wrong_count {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> older, newer;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.copy_async(mem.older, fixed<64>{}, in, 0);
    block.commit_copies();
    block.copy_async(mem.newer, fixed<64>{}, in, 64);  // @wrong_count:second
    block.commit_copies();
    block.wait_copies(Right ? 0 : 1);
    block.sync();
    block.each_thread([&](thread t) {
      int const x = mem.older.load(63 - t.rank);
      out(t.rank) = x - mem.newer.load(63 - t.rank);  // @wrong_count:first
    });
  }
};

// A pipeline of three stages that waits for one group too few.
template <bool Right>
struct three_stages {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1, 64> stage[3];
  };
  view<int const, 2> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    for (int k = 0; k < 2; ++k) start(block, mem, k);
    auto sum = block.per_thread(0);
    for (int k = 0; k < 4; ++k) {
      block.wait_copies(Right ? 1 : 2);
      block.sync();
      start(block, mem, k + 2);
      block.each_thread([&](thread t) { sum[t] += mem.stage[k % 3].load(0, 63 - t.rank); });  // @three_stages:first
    }
    block.wait_copies(0);
    block.each_thread([&](thread t) { out(t.rank) = sum[t]; });
  }
  // Rows behind the last one are zeros.
  template <class Block>
  DOLMEN_FN void start(Block& block, shared& mem, int k) const {
    block.copy_async(mem.stage[k % 3], fixed<1, 64>{}, in, k, 0);  // @three_stages:second
    block.commit_copies();
  }
};

// Waits for no group, since the copies were not made one.
template <bool Right>
struct not_committed {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.copy_async(mem.staged, fixed<64>{}, in, block.first_index());  // @not_committed:second
    if constexpr (Right) block.commit_copies();
    block.wait_copies(0);
    block.sync();
    block.each_thread([&](thread t) { out(block.first_index() + t.rank) = mem.staged.load(63 - t.rank); });  // @not_committed:first
  }
};

template <bool Right>
struct source_overwritten {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { out(t.rank) = in(t.rank); });
    block.sync();
    block.copy_async(mem.staged, fixed<64>{}, out, 0);  // @source_overwritten:second
    block.commit_copies();
    if constexpr (Right) {
      block.wait_copies(0);
      block.sync();
    }
    block.each_thread([&](thread t) { out(t.rank) = -1; });  // @source_overwritten:first
    block.wait_copies(0);
    block.sync();
    block.each_thread([&](thread t) { out(t.rank) = mem.staged.load(63 - t.rank); });
  }
};

// Cleared after the copy began.
template <bool Right>
struct destination_written {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    if constexpr (Right) {
      block.each_thread([&](thread t) { mem.staged(t.rank) = 0; });
      block.sync();
    }
    block.copy_async(mem.staged, fixed<32>{}, in, 0);  // @destination_written:second
    block.commit_copies();
    if constexpr (!Right) block.each_thread([&](thread t) { mem.staged(t.rank) = 0; });  // @destination_written:first
    block.wait_copies(0);
    block.sync();
    block.each_thread([&](thread t) { out(t.rank) = mem.staged.load(63 - t.rank); });
  }
};

// The next round's copy goes where slower threads still read.
template <bool Right>
struct stage_in_use {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto sum = block.per_thread(0);
    for (int k = 0; k < 3; ++k) {
      block.copy_async(mem.staged, fixed<64>{}, in, 64 * k);  // @stage_in_use:first
      block.commit_copies();
      block.wait_copies(0);
      block.sync();
      block.each_thread([&](thread t) { sum[t] += mem.staged.load(63 - t.rank); });  // @stage_in_use:second
      if constexpr (Right) block.sync();
    }
    block.each_thread([&](thread t) { out(t.rank) = sum[t]; });
  }
};

// What a phase wrote is copied by other threads than wrote it.
template <bool Right>
struct source_too_fresh {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { out(63 - t.rank) = in(t.rank); });  // @source_too_fresh:second
    if constexpr (Right) block.sync();
    block.copy_async(mem.staged, fixed<64>{}, out, 0);  // @source_too_fresh:first
    block.commit_copies();
    block.wait_copies(0);
    block.sync();
    block.each_thread([&](thread t) { out(t.rank) = mem.staged.load(t.rank); });
  }
};

namespace {

template <bool Right>
bool of_four_rows(stream const& s) {
  ints const host = numbers(4 * 64);
  auto const in = upload(s, host);
  auto out = upload(s, ints(64));
  launch(s, grid(1), three_stages<Right>{in.view(4, 64), out.view()});
  ints expected(64);
  for (std::size_t i = 0; i < host.size(); ++i) expected[63 - i % 64] += host[i];
  return holds<Right>(s, out, expected);
}

family const cases("copies", __FILE__,
                   {kernel_case<no_wait>("no_wait", {kind::pending_copy}, {128, 128, 2},
                                         [](ints const& in) {
                                           ints out(128);
                                           for (std::size_t i = 0; i < 128; ++i) out[i] = in[i ^ 5];
                                           return out;
                                         }),
                    kernel_case<wait_without_barrier>("wait_without_barrier", {kind::pending_copy, kind::race}, {128, 128, 2},
                                                      [](ints const& in) {
                                                        ints out(128);
                                                        for (std::size_t i = 0; i < 128; ++i)
                                                          for (std::size_t k = 0; k < 64; ++k) out[i] += in[i / 64 * 64 + k];
                                                        return out;
                                                      }),
                    kernel_case<wrong_count>("wrong_count", {kind::pending_copy}, {128, 64, 1},
                                             [](ints const& in) {
                                               ints out(64);
                                               for (std::size_t i = 0; i < 64; ++i) out[i] = in[63 - i] - in[127 - i];
                                               return out;
                                             }),
                    {"three_stages", {kind::pending_copy}, of_four_rows<false>, of_four_rows<true>},
                    kernel_case<not_committed>("not_committed", {kind::pending_copy}, {64, 64, 1},
                                               [](ints const& in) { return ints(in.rbegin(), in.rend()); }),
                    kernel_case<source_overwritten>("source_overwritten", {kind::pending_copy}, {64, 64, 1},
                                                    [](ints const& in) { return ints(in.rbegin(), in.rend()); }),
                    kernel_case<destination_written>("destination_written", {kind::pending_copy}, {32, 64, 1},
                                                     [](ints const& in) {
                                                       ints out(64);
                                                       for (std::size_t i = 0; i < 32; ++i) out[63 - i] = in[i];
                                                       return out;
                                                     }),
                    kernel_case<stage_in_use>("stage_in_use", {kind::race, kind::pending_copy}, {192, 64, 1},
                                              [](ints const& in) {
                                                ints out(64);
                                                for (std::size_t i = 0; i < 192; ++i) out[63 - i % 64] += in[i];
                                                return out;
                                              }),
                    kernel_case<source_too_fresh>("source_too_fresh", {kind::race, kind::pending_copy}, {64, 64, 1},
                                                  [](ints const& in) { return ints(in.rbegin(), in.rend()); })});

}  // namespace
}  // namespace planted
