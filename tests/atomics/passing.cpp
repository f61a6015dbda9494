// Data handed from thread to thread: the last block's ticket, tickets, compare_exchange loops, words that are never torn.
#include "../backends.hpp"

#include <algorithm>

#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_WITHOUT_FENCES  // ThreadSanitizer knows no fences
#endif
#endif

namespace test_passing {

inline constexpr int threads = 128;

/// Each block adds up its part and tells the others through a counter; the last one adds up what all have written.
template <bool Fences>
struct sum_by_last_block {
  using shape = block_shape<threads>;
  struct shared {
    tile<double, threads> part;
  };
  view<double const> in;
  view<double> partial, out;
  view<unsigned> counter;

  template <class Block>
  DOLMEN_INLINE_FN double reduce(Block& block, shared& mem) const {
    block.sync();
    for (int half = threads / 2; half > 0; half /= 2) {
      block.each_thread(half, [&](thread t) { mem.part(t.rank) += mem.part.load(t.rank + half); });
      block.sync();
    }
    auto all = block.per_thread(0.0);
    block.each_thread(1, [&](thread t) { all[t] = mem.part.load(0); });
    return block.uniform(all);
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const first = block.first_index();
    int const blocks = block.grid.x;
    block.each_thread([&](thread t) { mem.part(t.rank) = first + t.rank < in.size() ? in.load(first + t.rank) : 0.0; });
    double const own = reduce(block, mem);
    // Written by another thread than the one that takes the ticket.
    block.each_thread([&](thread t) {
      if (t.rank == threads - 1) partial(block.index.x) = own;
    });
    block.sync();
    auto last = block.per_thread(0);
    block.each_thread(1, [&](thread t) {
      if constexpr (Fences) {
        fence(memory_order::release);
        last[t] = counter.atomic(0).fetch_add(1) + 1 == unsigned(blocks);
        fence(memory_order::acquire);
      } else {
        last[t] = counter.atomic(0).fetch_add(1, memory_order::acq_rel) + 1 == unsigned(blocks);
      }
    });
    if (!block.uniform(last)) return;
    block.each_thread([&](thread t) {
      double sum = 0;
      for (int i = t.rank; i < blocks; i += threads) sum += partial.load(i);
      mem.part(t.rank) = sum;
    });
    double const total = reduce(block, mem);
    block.each_thread(1, [&](thread) {
      out(0) = out.load(0) + total;  // how often a block thought to be the last would show
      counter(0) = 0;                // for the next launch
    });
  }
};

template <bool Fences, class B>
void check_last_block() {
  typename B::stream s;
  for (index_t n : {index_t(1), index_t(1000), testing::size_of(300000, 20000)}) {
    auto const values = testing::whole_values<double>(n, std::uint64_t(n));
    double expected = 0;
    for (double v : values) expected += v;
    index_t const blocks = ceil_div(n, index_t(threads)), repetitions = testing::size_of(n > 1000 ? 60 : 200, 5);
    guarded<double, B> in(s, values), out(s, repetitions), partial(s, blocks);
    out.set(std::vector<double>(std::size_t(repetitions), 0.5));
    guarded<unsigned, B> counter(s, std::vector<unsigned>{0});
    for (index_t i = 0; i < repetitions; ++i) {
      partial.set(std::vector<double>(std::size_t(blocks), testing::quiet_nan<double>));  // what came too late would show
      launch(s, grid(blocks), sum_by_last_block<Fences>{in.view(), partial.view(), out.view().slice(i, 1), counter.view()});
    }
    CHECK(out.values() == std::vector<double>(std::size_t(repetitions), expected + 0.5));
    CHECK(counter.values() == std::vector<unsigned>{0});
    CHECK((in.unchanged() && out.intact() && partial.intact() && counter.intact()));
  }
}

/// Every thread of every block draws a number, and leaves its mark there.
struct tickets {
  using shape = block_shape<threads>;
  struct shared {
    tile<int, 1> next;
  };
  view<int> counter, taken;
  view<int, 2> taken_in_block;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.next(0) = 0; });
    block.sync();
    block.each_thread([&](thread t) {
      taken(counter.atomic(0).fetch_add(1)) = int(block.first_index()) + t.rank;
      taken_in_block(block.index.x, mem.next.atomic(0).fetch_add(1)) = t.rank;
    });
  }
};

/// x -> 3 x + 1, which has no operation of its own; a maximum of 64-bit pairs; adding up to a limit.
struct loops {
  using shape = block_shape<threads>;
  view<std::uint32_t> affine;
  view<std::uint64_t> best;
  view<int> bounded;
  int limit;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      auto cell = affine.atomic(0);
      std::uint32_t seen = cell.load();
      while (!cell.compare_exchange(seen, 3 * seen + 1)) {
      }
      auto const i = std::uint64_t(block.first_index() + t.rank);
      std::uint64_t const mine = (i * 2654435761u % 1000003) << 32 | i;
      std::uint64_t top = best.atomic(0).load();
      while (mine > top && !best.atomic(0).compare_exchange(top, mine, memory_order::acq_rel)) {
      }
      int count = bounded.atomic(0).load();
      while (count < limit && !bounded.atomic(0).compare_exchange(count, count + 1)) {
      }
    });
  }
};

/// Half of the blocks store numbers whose two halves are equal, the others must never see anything else.
struct whole_words {
  using shape = block_shape<threads>;
  view<std::uint64_t> cell;
  view<std::uint64_t> torn;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      for (int i = 0; i < 50; ++i) {
        std::uint64_t const half = std::uint64_t(block.first_index() + t.rank + i);
        if (block.index.x % 2 == 0) {
          cell.atomic(0).store(half << 32 | half);
        } else {
          std::uint64_t const seen = cell.atomic(0).load();
          if (seen >> 32 != (seen & 0xffffffff)) torn.atomic(0).fetch_add(1);
        }
      }
    });
  }
};

struct count_remainders {
  view<int> counts;
  DOLMEN_FN void operator()(index_t i) const { counts.atomic(i % 7).fetch_add(1); }
};

/// A function that is no template, before any kernel file's headers would matter.
DOLMEN_FN inline void add_one(view<float> sum) { sum.atomic(0).fetch_add(1.0f); }
struct calls_function {
  view<float> sum;
  DOLMEN_FN void operator()(index_t) const { add_one(sum); }
};

}  // namespace test_passing

TEST_CASE_TEMPLATE("atomics: the last block sees what all blocks wrote", B, DOLMEN_TEST_BACKENDS) {
  test_passing::check_last_block<false, B>();
}
#if !defined(TEST_WITHOUT_FENCES)
TEST_CASE_TEMPLATE("atomics: the last block, by fences around a relaxed counter", B, DOLMEN_TEST_BACKENDS) {
  test_passing::check_last_block<true, B>();
}
#endif

TEST_CASE_TEMPLATE("atomics: tickets are unique and complete", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  constexpr int blocks = 100, threads = test_passing::threads;
  guarded<int, B> counter(s, std::vector<int>{0}), taken(s, blocks * threads);
  guarded<int, B, 2> in_block(s, {{blocks, threads}});
  launch(s, grid(blocks), test_passing::tickets{counter.view(), taken.view(), in_block.view()});
  auto drawn = taken.values(), rows = in_block.values();
  std::sort(drawn.begin(), drawn.end());
  for (int i = 0; i < blocks * threads; ++i) REQUIRE(drawn[std::size_t(i)] == i);
  for (int b = 0; b < blocks; ++b) {
    std::sort(rows.begin() + b * threads, rows.begin() + (b + 1) * threads);
    for (int i = 0; i < threads; ++i) REQUIRE(rows[std::size_t(b * threads + i)] == i);
  }
  CHECK(counter.values() == std::vector<int>{blocks * threads});
  CHECK((counter.intact() && taken.intact() && in_block.intact()));
}

TEST_CASE_TEMPLATE("atomics: loops of compare_exchange", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  constexpr int blocks = 50, all = blocks * test_passing::threads;
  guarded<std::uint32_t, B> affine(s, std::vector<std::uint32_t>{1});
  guarded<std::uint64_t, B> best(s, std::vector<std::uint64_t>{0});
  guarded<int, B> bounded(s, std::vector<int>{-3});
  launch(s, grid(blocks), test_passing::loops{affine.view(), best.view(), bounded.view(), 1000});
  std::uint32_t x = 1;
  std::uint64_t top = 0;
  for (std::uint64_t i = 0; i < all; ++i) {
    x = 3 * x + 1;
    top = std::max(top, (i * 2654435761u % 1000003) << 32 | i);
  }
  CHECK(affine.values()[0] == x);
  CHECK(best.values()[0] == top);
  CHECK(bounded.values()[0] == 1000);
  CHECK((affine.intact() && best.intact() && bounded.intact()));
}

TEST_CASE_TEMPLATE("atomics: 64-bit words are whole", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<std::uint64_t, B> cell(s, std::vector<std::uint64_t>{0}), torn(s, std::vector<std::uint64_t>{0});
  launch(s, grid(64), test_passing::whole_words{cell.view(), torn.view()});
  CHECK(torn.values()[0] == 0);
  auto const last = cell.values()[0];
  CHECK((last >> 32) == (last & 0xffffffff));
  CHECK(last != 0);
}

TEST_CASE_TEMPLATE("atomics: without blocks, and in functions", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(100000, 10000);
  guarded<int, B> counts(s, std::vector<int>(7, 0));
  for_each_index(s, n, test_passing::count_remainders{counts.view()});
  std::vector<int> expected(7, 0);
  for (index_t i = 0; i < n; ++i) ++expected[std::size_t(i % 7)];
  CHECK(counts.values() == expected);
  CHECK(counts.intact());

  guarded<float, B> sum(s, std::vector<float>{0});
  for_each_index(s, n, test_passing::calls_function{sum.view()});
  CHECK(sum.values()[0] == float(n));
  view<int> const v = counts.view();
  for_each_index(
      s, n, DOLMEN_LAMBDA(index_t i) { v.atomic(i % 7).fetch_sub(1); });
  CHECK(counts.values() == std::vector<int>(7, 0));
}
