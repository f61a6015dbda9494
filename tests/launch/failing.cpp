// What happens in a kernel that fails or speaks.
#include "../backends.hpp"

#include <iostream>

#include "../support/child.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"
#include "../support/locales.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;

namespace test_failing {

struct asserts {
  using shape = block_shape<32, 2>;
  view<int> out;
  int bad_block, bad_rank;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      DOLMEN_ASSERT(t, !(block.index.x == bad_block && t.rank == bad_rank));
      out(block.index.x * Block::size + t.rank) = 1;
    });
  }
};

struct asserts_at_block_scope {
  using shape = block_shape<32>;
  int limit;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    DOLMEN_ASSERT(block, block.index.y < limit);
  }
};

/// Scans that begin with a number of another type than the values'.
struct starts_with {
  using shape = block_shape<64>;
  view<int> out;  // what the scans of block, warp and segment begin with, as ints
  int start;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const bytes = block.per_thread(std::uint8_t(1));
    auto const halves = block.per_thread(half(0.5f));
    auto const words = block.per_thread(1u);
    auto const a = block.exclusive_scan(bytes, start);
    auto const b = block.warp_exclusive_scan(bytes, start, maximum{}, lanes<8>{});
    auto const c = block.exclusive_scan(halves, start);
    auto const d = block.exclusive_scan(words, 0);
    block.each_thread(1, [&](thread t) {
      out(0) = a[t];
      out(1) = b[t];
      out(2) = int(c[t]);
      out(3) = int(d[t]);
    });
  }
};

struct speaks {
  using shape = block_shape<32>;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    DOLMEN_PRINTF(block, "hello from the block");
    block.each_thread(1, [&](thread t) { DOLMEN_PRINTF(t, "x = %d, y = %.1f", 42, 2.5); });
  }
};

#if DOLMEN_HAS_CPU || DOLMEN_HAS_CHECK
/// Host code only: what a kernel's body throws on the CPU.
struct throws {
  using shape = block_shape<32>;
  int from;
  template <class Block>
  void operator()(Block& block) const {
    auto value = block.per_thread(1);
    if (block.index.x >= from) throw std::out_of_range("thrown by a block");
  }
};

struct wants_too_much {
  using shape = block_shape<32>;
  template <class Block>
  requires requires(Block& b) { b.index; }
  void operator()(Block&) const { throw std::bad_alloc(); }
  void operator()(index_t i) const {
    if (i == 50000) throw std::bad_alloc();
  }
};
#endif

template <class B>
void say() {
  typename B::stream s;
  launch(s, grid(2, 2), speaks());
  s.synchronize();
  std::fflush(stdout);
}

template <class B>
void say_abroad() {
  testing::foreign_locale const abroad;
  say<B>();
}

template <class B>
void fail_an_assertion() {
  typename B::stream s;
  buffer<int, B> out(s, 4 * 64);
  launch(s, grid(4), asserts{out, 2, 37});
  s.synchronize();
}

}  // namespace test_failing

DOLMEN_TEST_CHILD(says) { DOLMEN_TEST_IN_CHILD(test_failing::say); }
DOLMEN_TEST_CHILD(says_abroad) { DOLMEN_TEST_IN_CHILD(test_failing::say_abroad); }
DOLMEN_TEST_CHILD(fails_an_assertion) { DOLMEN_TEST_IN_CHILD(test_failing::fail_an_assertion); }

TEST_CASE_TEMPLATE("printf: names block, thread and line", B, DOLMEN_TEST_BACKENDS) {
  auto const r = testing::run_child("says");
  CHECK(r.status == 0);
  for (std::string const part :
       {"[block (0, 0, 0) thread -1 ", "[block (1, 1, 0) thread 0 ", "failing.cpp:", "] hello from the block\n", "] x = 42, y = 2.5\n"}) {
    CAPTURE(part);
    CHECK(r.output.find(part) != std::string::npos);
  }
  std::size_t lines = 0;
  for (char c : r.output) lines += c == '\n';
  CHECK(lines == (is_cpu<B> ? 4 + 4 : 4 * 32 + 4));  // block scope is run by every thread of a GPU
}

#if defined(DOLMEN_TEST_CPU_BACKEND)
TEST_CASE_TEMPLATE("printf: the same numbers whatever locale the program set", B, DOLMEN_TEST_CPU_BACKEND) {
  auto const r = testing::run_child("says_abroad");
  CHECK(r.status == 0);
  CHECK(r.output.find("] x = 42, y = 2.5\n") != std::string::npos);
}
#endif

TEST_CASE_TEMPLATE("assert: that holds costs nothing and says nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<int, B> out(s, 4 * 64);
  launch(s, grid(4), test_failing::asserts{out.view(), -1, -1});
  CHECK(out.values() == std::vector<int>(4 * 64, 1));
}

TEST_CASE_TEMPLATE("assert: that fails names condition, block, thread and line", B, DOLMEN_TEST_BACKENDS) {
  auto const r = testing::run_child("fails_an_assertion");
  CHECK(r.status == 1);
  for (std::string const part :
       {"DOLMEN_ASSERT(!(block.index.x == bad_block && t.rank == bad_rank)) failed", "block (2, 0, 0)", "thread 37", "failing.cpp:"}) {
    CAPTURE(r.output);
    CAPTURE(part);
    CHECK(r.output.find(part) != std::string::npos);
  }
}

#if DOLMEN_HAS_CPU || DOLMEN_HAS_CHECK
TEST_CASE_TEMPLATE("assert: a launch_error on the CPU, and the next launch works", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  guarded<int, B> out(s, 4 * 64);
  for (int round = 0; round < 3; ++round) {
    CHECK_THROWS_AS(launch(s, grid(4), test_failing::asserts{out.view(), 1, 5}), launch_error);
    CHECK_THROWS_AS(launch(s, grid(1, 9), test_failing::asserts_at_block_scope{3}), launch_error);
    launch(s, grid(4), test_failing::asserts{out.view(), -1, -1});
    CHECK(out.values() == std::vector<int>(4 * 64, 1));
  }
}

TEST_CASE_TEMPLATE("scans: an initial value that the values' type does not have fails the launch", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  guarded<int, B> out(s, 4);
  for (int start : {0, 200, 255}) {
    launch(s, grid(1), test_failing::starts_with{out.view(), start});
    CHECK(out.values() == std::vector<int>{start, start, start, 0});
  }
  for (int start : {-1, 256, 300}) {
    CAPTURE(start);
    CHECK_THROWS_AS(launch(s, grid(1), test_failing::starts_with{out.view(), start}), launch_error);
  }
}

TEST_CASE_TEMPLATE("exceptions: reach the caller once, whatever threw, and leave the backend usable", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  guarded<int, B> out(s, 4 * 64);
  for (index_t blocks : {1, 2, 3, 1000})
    for (int from : {0, 1, 999}) {
      if (from >= blocks) {
        launch(s, grid(blocks), test_failing::throws{from});
        continue;
      }
      CHECK_THROWS_WITH_AS(launch(s, grid(blocks), test_failing::throws{from}), "thrown by a block", std::out_of_range);
      CHECK(detail::current_block().x == -1);
      launch(s, grid(4), test_failing::asserts{out.view(), -1, -1});
    }
  CHECK(out.values() == std::vector<int>(4 * 64, 1));
}

TEST_CASE_TEMPLATE("launch: a std::bad_alloc of the kernel's own is left as it is", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  CHECK_THROWS_AS(launch(s, grid(100), test_failing::wants_too_much{}), std::bad_alloc);
  CHECK_THROWS_AS(for_each_index(s, 100000, test_failing::wants_too_much{}), std::bad_alloc);
  guarded<int, B> out(s, 4 * 64);
  launch(s, grid(4), test_failing::asserts{out.view(), -1, -1});
  CHECK(out.values() == std::vector<int>(4 * 64, 1));
}
#endif
