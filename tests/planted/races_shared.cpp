// Races in shared memory within a block: a barrier is missing, or stands in the wrong place.
#include "planted.hpp"

namespace planted {

// Between the tile's stores and the tree.
template <bool Right>
struct tree_reduction {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.staged(t.rank) = in(block.first_index() + t.rank); });  // @tree_reduction:second
    if constexpr (Right) block.sync();
    for (int half = Block::size / 2; half > 0; half /= 2) {
      block.each_thread(half, [&](thread t) {
        mem.staged(t.rank) += mem.staged.load(t.rank + half);  // @tree_reduction:first
      });
      block.sync();
    }
    block.each_thread(1, [&](thread) { out(block.index.x) = mem.staged.load(0); });
  }
};

// Between the steps of the tree.
template <bool Right>
struct tree_steps {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.staged(t.rank) = in(block.first_index() + t.rank); });
    block.sync();
    for (int half = Block::size / 2; half > 0; half /= 2) {
      block.each_thread(half, [&](thread t) {
        mem.staged(t.rank) += mem.staged.load(t.rank + half);  // @tree_steps:first @tree_steps:second
      });
      if constexpr (Right) block.sync();
    }
    block.each_thread(1, [&](thread) { out(block.index.x) = mem.staged.load(0); });
  }
};

// Every thread has read its neighbour's cell, but not before the neighbour writes it again.
template <bool Right>
struct systolic {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> cells;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto moving = block.per_thread(0);
    block.each_thread([&](thread t) { mem.cells(t.rank) = in(block.first_index() + t.rank); });
    block.sync();
    for (int round = 0; round < 3; ++round) {
      block.each_thread([&](thread t) { moving[t] = mem.cells.load((t.rank + 1) % 64); });  // @systolic:second
      if constexpr (Right) block.sync();
      block.each_thread([&](thread t) { mem.cells(t.rank) = moving[t]; });  // @systolic:first
      block.sync();
    }
    block.each_thread([&](thread t) { out(block.first_index() + t.rank) = moving[t]; });
  }
};

// One thread writes what all read.
template <bool Right>
struct one_to_all {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> factor;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.factor(0) = in(block.first_index()); });  // @one_to_all:second
    if constexpr (Right) block.sync();
    block.each_thread([&](thread t) {
      int const i = int(block.first_index()) + t.rank;
      out(i) = mem.factor.load(0) * in(i);  // @one_to_all:first
    });
  }
};

// All threads write, and each reads what all wrote.
template <bool Right>
struct all_to_all {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.staged(t.rank) = in(block.first_index() + t.rank); });  // @all_to_all:second
    if constexpr (Right) block.sync();
    block.each_thread([&](thread t) {
      int sum = 0;
      for (int i = 0; i < 64; ++i) sum += mem.staged.load(i);  // @all_to_all:first
      out(block.first_index() + t.rank) = sum - t.rank;
    });
  }
};

// Two stages: one is read while the other is filled, so one barrier a round is enough, but it has to be there.
template <bool Right>
struct double_buffer {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 2, 64> stage;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto sum = block.per_thread(0);
    block.each_thread([&](thread t) { mem.stage(0, t.rank) = in(t.rank); });
    block.sync();
    for (int round = 0; round < 3; ++round) {
      int const now = round % 2;
      block.each_thread([&](thread t) { sum[t] += mem.stage.load(now, 63 - t.rank); });                  // @double_buffer:first
      block.each_thread([&](thread t) { mem.stage(1 - now, t.rank) = in((round + 1) * 64 + t.rank); });  // @double_buffer:second
      if constexpr (Right) block.sync();
    }
    block.each_thread([&](thread t) { out(t.rank) = sum[t]; });
  }
};

// The last barrier of a loop with two: the tile is filled again while others read it.
template <bool Right>
struct loop_end {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto sum = block.per_thread(0);
    for (int round = 0; round < 2; ++round) {
      block.each_thread([&](thread t) { mem.staged(t.rank) = in(round * 64 + t.rank); });  // @loop_end:first
      block.sync();
      block.each_thread([&](thread t) { sum[t] += mem.staged.load((t.rank + 5) % 64); });  // @loop_end:second
      if constexpr (Right) block.sync();
    }
    block.each_thread([&](thread t) { out(t.rank) = sum[t]; });
  }
};

// One value per warp, added by thread 0.
template <bool Right>
struct warp_partials {
  using shape = block_shape<128>;
  struct shared {
    tile<int, 4> partial;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto value = block.per_thread(0);
    block.each_thread([&](thread t) { value[t] = in(block.first_index() + t.rank); });
    auto const sums = block.warp_reduce(value);
    block.each_thread([&](thread t) {
      if (t.lane == 0) mem.partial(t.warp) = sums[t];  // @warp_partials:second
    });
    if constexpr (Right) block.sync();
    block.each_thread(1, [&](thread) {
      int sum = 0;
      for (int w = 0; w < 4; ++w) sum += mem.partial.load(w);  // @warp_partials:first
      out(block.index.x) = sum;
    });
  }
};

template <bool Right>
struct shared_histogram {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 8> bins;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(8, [&](thread t) { mem.bins(t.rank) = 0; });
    block.sync();
    block.each_thread([&](thread t) {
      int const bin = in(t.rank) % 8;
      if constexpr (Right)
        mem.bins.atomic(bin).fetch_add(1);
      else
        mem.bins(bin) += 1;  // @shared_histogram:first @shared_histogram:second
    });
    block.sync();
    block.each_thread(8, [&](thread t) { out(t.rank) = mem.bins.load(t.rank); });
  }
};

// All threads that find something write the same word: harmless on today's GPUs, and yet two unordered writes.
template <bool Right>
struct same_value {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> found;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.found(0) = 0; });
    block.sync();
    block.each_thread([&](thread t) {
      if (in(t.rank) > 5) {
        if constexpr (Right)
          mem.found.atomic(0).store(1);
        else
          mem.found(0) = 1;  // @same_value:first @same_value:second
      }
    });
    block.sync();
    block.each_thread(1, [&](thread) { out(0) = mem.found.load(0); });
  }
};

// A plain read of a word that others update atomically.
template <bool Right>
struct plain_read {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> count;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.count(0) = 0; });
    block.sync();
    block.each_thread([&](thread t) {
      if (in(t.rank) > 5) mem.count.atomic(0).fetch_add(1);  // @plain_read:second
    });
    if constexpr (Right) block.sync();
    block.each_thread(1, [&](thread) { out(0) = mem.count.load(0); });  // @plain_read:first
  }
};

// A lock that is taken by compare-and-swap and given back by a plain store.
template <bool Right>
struct plain_unlock {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 1> lock;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.lock(0) = 0; });
    block.sync();
    auto won = block.per_thread(0);
    block.each_thread([&](thread t) {
      int expected = 0;
      won[t] = mem.lock.atomic(0).compare_exchange(expected, 1) ? 1 : 0;  // @plain_unlock:second
      if (!won[t]) return;
      out.atomic(0).fetch_add(1);
      if constexpr (Right)
        mem.lock.atomic(0).store(2);
      else
        mem.lock(0) = 2;  // @plain_unlock:first
    });
  }
};

// A barrier in one branch of what is uniform: only the second round has it.
template <bool Right>
struct every_other_round {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto sum = block.per_thread(0);
    for (int round = 0; round < 2; ++round) {
      block.each_thread([&](thread t) { mem.staged(t.rank) = in(t.rank) + round; });  // @every_other_round:second
      if (Right || round == 1) block.sync();
      block.each_thread([&](thread t) { sum[t] += mem.staged.load(t.rank ^ 33); });  // @every_other_round:first
      block.sync();
    }
    block.each_thread([&](thread t) { out(t.rank) = sum[t]; });
  }
};

// Rows by each_index, columns by threads: the same cells, other threads.
template <bool Right>
struct other_distribution {
  using shape = block_shape<8, 8>;
  struct shared {
    tile<int, 8, 9> cells;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_index(fixed<8, 8>{}, [&](int y, int x) { mem.cells(y, x) = in(8 * y + x); });  // @other_distribution:second
    if constexpr (Right) block.sync();
    block.each_thread([&](thread t) { out(t.rank) = mem.cells.load(t.x, t.y); });  // @other_distribution:first
  }
};

namespace {

ints sum_of_blocks(ints const& in, std::size_t size) {
  ints out(in.size() / size);
  for (std::size_t i = 0; i < in.size(); ++i) out[i / size] += in[i];
  return out;
}
ints sums_of_64(ints const& in) { return sum_of_blocks(in, 64); }

family const cases("races_shared", __FILE__,
                   {kernel_case<tree_reduction>("tree_reduction", {kind::race}, {128, 2, 2}, sums_of_64),
                    kernel_case<tree_steps>("tree_steps", {kind::race}, {128, 2, 2}, sums_of_64),
                    kernel_case<systolic>("systolic", {kind::race}, {128, 128, 2},
                                          [](ints const& in) {
                                            ints out(128);
                                            for (std::size_t i = 0; i < 128; ++i) out[i] = in[i / 64 * 64 + (i + 3) % 64];
                                            return out;
                                          }),
                    kernel_case<one_to_all>("one_to_all", {kind::race}, {128, 128, 2},
                                            [](ints const& in) {
                                              ints out(128);
                                              for (std::size_t i = 0; i < 128; ++i) out[i] = in[i] * in[i / 64 * 64];
                                              return out;
                                            }),
                    kernel_case<all_to_all>("all_to_all", {kind::race}, {128, 128, 2},
                                            [](ints const& in) {
                                              ints out(128), sums = sums_of_64(in);
                                              for (std::size_t i = 0; i < 128; ++i) out[i] = sums[i / 64] - int(i % 64);
                                              return out;
                                            }),
                    kernel_case<double_buffer>("double_buffer", {kind::race}, {256, 64, 1},
                                               [](ints const& in) {
                                                 ints out(64);
                                                 for (std::size_t i = 0; i < 64; ++i) out[i] = in[63 - i] + in[127 - i] + in[191 - i];
                                                 return out;
                                               }),
                    kernel_case<loop_end>("loop_end", {kind::race}, {128, 64, 1},
                                          [](ints const& in) {
                                            ints out(64);
                                            for (std::size_t i = 0; i < 64; ++i) out[i] = in[(i + 5) % 64] + in[64 + (i + 5) % 64];
                                            return out;
                                          }),
                    kernel_case<warp_partials>("warp_partials", {kind::race}, {256, 2, 2},
                                               [](ints const& in) { return sum_of_blocks(in, 128); }),
                    kernel_case<shared_histogram>("shared_histogram", {kind::race}, {64, 8, 1},
                                                  [](ints const& in) {
                                                    ints out(8);
                                                    for (int x : in) ++out[std::size_t(x % 8)];
                                                    return out;
                                                  }),
                    kernel_case<same_value>("same_value", {kind::same_value}, {64, 1, 1}, [](ints const&) { return ints{1}; }),
                    kernel_case<plain_read>("plain_read", {kind::race}, {64, 1, 1},
                                            [](ints const& in) {
                                              ints out(1);
                                              for (int x : in) out[0] += x > 5;
                                              return out;
                                            }),
                    kernel_case<plain_unlock>("plain_unlock", {kind::race}, {64, 1, 1}, [](ints const&) { return ints{1}; }),
                    kernel_case<every_other_round>("every_other_round", {kind::race}, {64, 64, 1},
                                                   [](ints const& in) {
                                                     ints out(64);
                                                     for (std::size_t i = 0; i < 64; ++i) out[i] = 2 * in[i ^ 33] + 1;
                                                     return out;
                                                   }),
                    kernel_case<other_distribution>("other_distribution", {kind::race}, {64, 64, 1}, [](ints const& in) {
                      ints out(64);
                      for (std::size_t i = 0; i < 64; ++i) out[i] = in[i % 8 * 8 + i / 8];
                      return out;
                    })});

}  // namespace
}  // namespace planted
