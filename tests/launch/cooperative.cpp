// The barrier of the whole grid.
#include "../backends.hpp"

#include <algorithm>
#include <atomic>
#include <iostream>
#include <thread>

#include "../support/child.hpp"
#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;

namespace test_cooperative {

/// Every round, each block mixes its values with those that the blocks beside it had after the round before. The threads of
/// the neighbours are met in reverse, so that what crosses is written by another warp than it is read by.
struct mix {
  using shape = block_shape<32, 2>;
  struct shared {
    tile<std::uint32_t, 64> mine;
  };
  view<std::uint32_t, 2> values;  // after even and odd rounds
  int rounds;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    int const blocks = block.grid.x * block.grid.y * block.grid.z;
    int const me = (block.index.z * block.grid.y + block.index.y) * block.grid.x + block.index.x;
    int const left = (me + blocks - 1) % blocks * Block::size, right = (me + 1) % blocks * Block::size;
    for (int round = 0; round < rounds; ++round) {
      int const from = round % 2, to = 1 - from;
      block.each_thread([&](thread t) {
        mem.mine(t.rank) = values.load(from, left + 63 - t.rank) + 3 * values.load(from, right + 63 - t.rank) + std::uint32_t(round);
      });
      block.sync();
      block.each_thread([&](thread t) {
        values(to, me * Block::size + t.rank) = mem.mine.load(63 - t.rank) + 5 * values.load(from, me * Block::size + t.rank);
      });
      block.grid_sync();
    }
  }
};

std::vector<std::uint32_t> mixed(std::vector<std::uint32_t> values, int rounds) {
  std::size_t const blocks = values.size() / 64;
  for (int round = 0; round < rounds; ++round) {
    auto const from = values;
    for (std::size_t b = 0; b < blocks; ++b)
      for (std::size_t t = 0; t < 64; ++t)
        values[b * 64 + t] =
            from[(b + blocks - 1) % blocks * 64 + t] + 3 * from[(b + 1) % blocks * 64 + t] + std::uint32_t(round) + 5 * from[b * 64 + t];
  }
  return values;
}

/// True if all that a grid of this shape wrote was right.
template <class B>
bool mixes(typename B::stream const& s, grid g, int rounds) {
  index_t const n = g.blocks() * 64;
  auto const start = testing::random_values<std::uint32_t>(n, std::uint64_t(n));
  auto both = start;
  both.insert(both.end(), start.begin(), start.end());
  guarded<std::uint32_t, B, 2> values(s, {{2, n}}, both);
  launch_cooperative(s, g, mix{values.view(), rounds});
  auto const result = values.values();
  auto const half = result.begin() + (rounds % 2 ? n : 0);
  return std::vector<std::uint32_t>(half, half + n) == mixed(start, rounds) && values.intact();
}

/// As many blocks as the child's environment allows, and a few less.
template <class B>
void mix_in_child() {
  typename B::stream s;
  index_t const most = max_cooperative_blocks<mix>(s);
  bool right = true;
  for (index_t blocks : {most, index_t(1), (most + 1) / 2, most})
    for (int i = 0; i < 3; ++i) right = right && mixes<B>(s, grid(blocks), 40);
  std::cout << most << (right ? " right\n" : " wrong\n");
}

/// Uses the barrier in a plain launch.
template <class B>
void mix_by_launch() {
  typename B::stream s;
  buffer<std::uint32_t, B> values(s, 2 * 64);
  fill(s, values, 0u);
  launch(s, grid(1), mix{values.view(2, 64), 1});
  s.synchronize();
}

/// No threads: a block is more than a multiprocessor holds beside others.
struct holds_much {
  using shape = block_shape<1024>;
  struct shared {
    tile<float, 10 * 1024> much;
  };
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.much(t.rank) = 1; });
    block.grid_sync();
    block.each_thread(1, [&](thread) { out(block.index.x) = int(mem.much.load(1023)); });
  }
};

#if DOLMEN_HAS_CPU || DOLMEN_HAS_CHECK
/// Host code only. The others wait for the block that fails.
struct fails {
  using shape = block_shape<32>;
  int block, round;
  bool asserts;
  template <class Block>
  void operator()(Block& b) const {
    for (int r = 0; r < 20; ++r) {
      if (b.index.x == block && r == round) {
        DOLMEN_ASSERT(b, !asserts);
        throw std::out_of_range("thrown by a block");
      }
      b.grid_sync();
    }
  }
};

/// Block 0 does not come to the last barrier.
struct leaves {
  using shape = block_shape<32>;
  template <class Block>
  void operator()(Block& block) const {
    for (int round = 0; round < (block.index.x == 0 ? 9 : 10); ++round) block.grid_sync();
  }
};
#endif

}  // namespace test_cooperative

DOLMEN_TEST_CHILD(mixes_in_child) { DOLMEN_TEST_IN_CHILD(test_cooperative::mix_in_child); }
DOLMEN_TEST_CHILD(mixes_by_launch) { DOLMEN_TEST_IN_CHILD(test_cooperative::mix_by_launch); }

TEST_CASE_TEMPLATE("cooperative: data crosses blocks at every barrier", B, DOLMEN_TEST_BACKENDS) {
  using test_cooperative::mixes;
  typename B::stream s;
  index_t const most = max_cooperative_blocks<test_cooperative::mix>(s);
  REQUIRE(most >= 1);
  for (index_t blocks = 1; blocks <= min(most, index_t(5)); ++blocks) CHECK(mixes<B>(s, grid(blocks), 301));
  CHECK(mixes<B>(s, grid(most), 300));
  CHECK(mixes<B>(s, grid(1, most), 7));
  CHECK(mixes<B>(s, grid(1, 1, most), 8));
  if (most >= 6) CHECK(mixes<B>(s, grid(1, 2, 3), 50));
  if (most >= 12) CHECK(mixes<B>(s, grid(3, 2, 2), 50));
}

TEST_CASE_TEMPLATE("cooperative: no blocks, and no barriers", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<std::uint32_t, B, 2> values(s, {{2, 64}});
  for (grid g : {grid(0), grid(5, 0), grid(5, 5, 0)}) launch_cooperative(s, g, test_cooperative::mix{values.view(), 3});
  launch_cooperative(s, grid(1), test_cooperative::mix{values.view(), 0});
  CHECK(values.unchanged());
}

TEST_CASE_TEMPLATE("cooperative: a grid that is too large is refused, and the next launch works", B, DOLMEN_TEST_BACKENDS) {
  using test_cooperative::mix;
  typename B::stream s;
  index_t const most = max_cooperative_blocks<mix>(s);
  guarded<std::uint32_t, B, 2> values(s, {{2, 64}});
  mix const kernel{values.view(), 3};
  auto const asked = detail::text("asked for ", most + 1, " blocks"), had = detail::text("at most ", most, " at the same time");
  for (grid g : {grid(most + 1), grid(1, most + 1), grid(1, 1, most + 1)})
    CHECK(complaint<launch_error>({"mix", asked.c_str(), had.c_str(), "64 threads", "256 B of shared memory"},
                                  [&] { launch_cooperative(s, g, kernel); }) == "");
  CHECK(complaint<launch_error>({"asked for 4611686014132420609 blocks"},
                                [&] { launch_cooperative(s, grid(0x7fffffff, 0x7fffffff), kernel); }) == "");
  CHECK(complaint<launch_error>({"2147483648", "2147483647"}, [&] { launch_cooperative(s, grid(index_t(1) << 31), kernel); }) == "");
  CHECK(complaint<invalid_argument>({"launch_cooperative", "-1 x 1 x 1"}, [&] { launch_cooperative(s, grid(-1), kernel); }) == "");
  CHECK(values.unchanged());
  CHECK(test_cooperative::mixes<B>(s, grid(most), 5));
}

TEST_CASE_TEMPLATE("cooperative: shared memory limits how many blocks there are", B, DOLMEN_TEST_BACKENDS) {
  using test_cooperative::holds_much;
  typename B::stream s;
  index_t const most = max_cooperative_blocks<holds_much>(s);
  if (!is_cpu<B>) CHECK(most < max_cooperative_blocks<test_cooperative::mix>(s));
  guarded<int, B> out(s, most);
  launch_cooperative(s, grid(most), holds_much{out.view()});
  CHECK(out.values() == std::vector<int>(std::size_t(most), 1));
}

TEST_CASE_TEMPLATE("cooperative: several streams, and several host threads", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s[3];
  index_t const most = max_cooperative_blocks<test_cooperative::mix>(s[0]);
  std::vector<guarded<std::uint32_t, B, 2>> all;
  std::vector<std::uint32_t> const zeros(std::size_t(2 * most * 64), 0);
  for (auto const& stream : s) all.emplace_back(stream, extents<2>{{2, most * 64}}, zeros);
  for (int i = 0; i < 3; ++i) launch_cooperative(s[i], grid(most), test_cooperative::mix{all[std::size_t(i)].view(), 100});
  auto expected = test_cooperative::mixed(std::vector<std::uint32_t>(std::size_t(most * 64), 0), 100);
  for (auto& values : all) {
    auto const result = values.values();
    CHECK(std::equal(expected.begin(), expected.end(), result.begin()));
  }

  std::atomic<int> wrong{0};
  std::vector<std::thread> team;
  for (int t = 0; t < 3; ++t)
    team.emplace_back([&, t] {
      typename B::stream own;
      for (int i = 0; i < 5; ++i) wrong += !test_cooperative::mixes<B>(t == 2 ? s[0] : own, grid(most), 30 + t);
    });
  for (auto& t : team) t.join();
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("cooperative: the barrier in a plain launch is an error, and says so", B, DOLMEN_TEST_BACKENDS) {
  auto const r = testing::run_child("mixes_by_launch");
  CAPTURE(r.output);
  CHECK(r.status == 1);
  CHECK(r.output.find("block.grid_sync") != std::string::npos);
  CHECK(r.output.find("needs launch_cooperative") != std::string::npos);
}

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("cooperative: more blocks than cores, and what OpenMP's variables do", B, dolmen::cpu::backend) {
  auto const run = [](testing::environment const& variables) { return testing::run_child("mixes_in_child", variables).output; };
  CHECK(run({{"OMP_NUM_THREADS", "7"}}) == "7 right\n");
  CHECK(run({{"OMP_NUM_THREADS", "1"}}) == "1 right\n");
  CHECK(run({{"OMP_NUM_THREADS", "7"}, {"OMP_DYNAMIC", "true"}}) == "7 right\n");
  CHECK(run({{"OMP_NUM_THREADS", "7"}, {"OMP_THREAD_LIMIT", "3"}}).find("3 right\n") != std::string::npos);
  CHECK(run({{"OMP_NUM_THREADS", "3"}, {"OMP_MAX_ACTIVE_LEVELS", "0"}}) == "1 right\n");
}
#endif

#if DOLMEN_HAS_CPU || DOLMEN_HAS_CHECK

TEST_CASE_TEMPLATE("cooperative: a block that fails releases the others", B, DOLMEN_TEST_CPU_BACKEND) {
  using test_cooperative::fails;
  typename B::stream s;
  index_t const most = max_cooperative_blocks<fails>(s);
  for (index_t blocks : {index_t(1), most})
    for (int block : {0, int(blocks) - 1})
      for (int round : {0, 1, 19}) {
        CHECK_THROWS_WITH_AS(launch_cooperative(s, grid(blocks), fails{block, round, false}), "thrown by a block", std::out_of_range);
        try {
          launch_cooperative(s, grid(blocks), fails{block, round, true});
          FAIL("nothing was thrown");
        } catch (launch_error const& e) {
          CHECK(std::string(e.what()).find(detail::text("DOLMEN_ASSERT(!asserts) failed: block (", block)) == 0);
        }
        CHECK(detail::current_block().x == -1);
        CHECK(test_cooperative::mixes<B>(s, grid(blocks), 5));
      }
}

TEST_CASE_TEMPLATE("cooperative: a block that ends while others wait", B, DOLMEN_TEST_CPU_BACKEND) {
  using test_cooperative::leaves;
  typename B::stream s;
  index_t const most = max_cooperative_blocks<leaves>(s);
  launch_cooperative(s, grid(1), leaves());
  if (most > 1) try {
      launch_cooperative(s, grid(2), leaves());
      FAIL("nothing was thrown");
    } catch (launch_error const& e) {
      std::string const expected =
          "block.grid_sync in block (1, 0, 0): another block of the grid has ended; all blocks call grid_sync equally often";
      CHECK(std::string(e.what()).find(expected) == 0);
    }
  CHECK_THROWS_AS(launch(s, grid(3), leaves()), launch_error);
  CHECK(test_cooperative::mixes<B>(s, grid(most), 5));
}
#endif
