// Atomics whose result nobody wants, in the shortest bodies: what a compiler would like most to vectorise. On the CPU a phase
// is a loop that is said to be free of dependences, and without a stop a vector of additions to one cell counts once.
#include <algorithm>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;

namespace test_bare {

inline constexpr int threads = 256, bins = 3, operations = 7, places = 4;

/// Each operation has cells of its own. One block, so that block scope will do in global memory.
template <class T>
struct counts {
  using shape = block_shape<threads>;
  struct shared {
    tile<T, operations, bins> cells;
    tile<int, threads> keys;
    tile<T, threads> values;
  };
  int rounds;
  view<T const> values;
  view<T, 3> cells;  // (place, operation, bin); place 3 comes from the tile

  /// Every operation in a loop of its own on cell(operation, bin).
  template <memory_scope Scope, class Block, class Cell, class Key>
  DOLMEN_INLINE_FN void run(Block& block, shared& mem, Cell cell, Key key) const {
    constexpr auto relaxed = memory_order::relaxed;
    for (int r = 0; r < rounds; ++r) {
      block.each_thread([&](thread t) { cell(0, key(t)).fetch_add(T(1), relaxed, Scope); });
      block.each_thread([&](thread t) { cell(1, key(t)).fetch_sub(T(2), relaxed, Scope); });
      block.each_thread([&](thread t) { cell(2, key(t)).fetch_min(mem.values.load(t.rank), relaxed, Scope); });
      block.each_thread([&](thread t) { cell(3, key(t)).fetch_max(mem.values.load(t.rank), relaxed, Scope); });
      if constexpr (std::is_integral_v<T>) {
        block.each_thread([&](thread t) { cell(4, key(t)).fetch_and(mem.values.load(t.rank), relaxed, Scope); });
        block.each_thread([&](thread t) { cell(5, key(t)).fetch_or(mem.values.load(t.rank), relaxed, Scope); });
        block.each_thread([&](thread t) { cell(6, key(t)).fetch_xor(mem.values.load(t.rank) ^ r, relaxed, Scope); });
      }
    }
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) {
      mem.keys(t.rank) = t.rank % bins;
      mem.values(t.rank) = values(t.rank);
    });
    block.each_index(operations, bins, [&](int operation, int bin) { mem.cells(operation, bin) = cells(3, operation, bin); });
    block.sync();
    auto const loaded = [&](thread t) { return mem.keys.load(t.rank); };
    auto const computed = [](thread t) { return t.rank % bins; };
    auto const none = [](thread) { return 0; };
    run<memory_scope::device>(
        block, mem, [&](int o, int k) { return cells.atomic(0, o, k); }, loaded);
    run<memory_scope::block>(
        block, mem, [&](int o, int k) { return cells.atomic(1, o, k); }, loaded);
    run<memory_scope::block>(
        block, mem, [&](int o, int k) { return cells.atomic(2, o, k); }, none);
    run<memory_scope::block>(
        block, mem, [&](int o, int k) { return mem.cells.atomic(o, k); }, computed);
    block.sync();
    block.each_index(operations, bins, [&](int operation, int bin) { cells(3, operation, bin) = mem.cells.load(operation, bin); });
  }
};

template <class T, class B>
void check_counts() {
  constexpr int rounds = 40;
  typename B::stream s;
  auto values = testing::random_values<T>(threads);
  std::vector<T> start(std::size_t(places * operations * bins), T(0));
  for (std::size_t i = 0; i < start.size(); ++i)
    if (i / bins % operations == 4) start[i] = T(-1);  // for fetch_and
  guarded<T, B> in(s, values);
  guarded<T, B, 3> cells(s, {{places, operations, bins}}, start);
  launch(s, grid(1), counts<T>{rounds, in.view(), cells.view()});
  auto const all = cells.values();

  for (int place = 0; place < places; ++place) {
    std::vector<T> expected(start.begin(), start.begin() + operations * bins);
    for (int r = 0; r < rounds; ++r)
      for (int t = 0; t < threads; ++t) {
        int const k = place == 2 ? 0 : t % bins;
        T const v = values[std::size_t(t)];
        auto const cell = [&](int operation) -> T& { return expected[std::size_t(operation * bins + k)]; };
        cell(0) += 1;
        cell(1) -= 2;
        cell(2) = std::min(cell(2), v);
        cell(3) = std::max(cell(3), v);
        if constexpr (std::is_integral_v<T>) {
          cell(4) &= v;
          cell(5) |= v;
          cell(6) ^= v ^ r;
        }
      }
    for (int i = 0; i < operations * bins; ++i) {
      CAPTURE(place);
      CAPTURE(i / bins);
      CHECK(all[std::size_t(place * operations * bins + i)] == expected[std::size_t(i)]);
    }
  }
  CHECK((in.unchanged() && cells.intact()));
}

/// Each thread hands a token on: it reads what the thread before it stored, in the same phase, if threads come in order, as
/// they do on a CPU. Elsewhere, and always, what is read is whole.
template <class T>
struct hands_on {
  using shape = block_shape<threads>;
  struct shared {
    tile<T, threads + 1> token;
  };
  view<T> out;
  bool device;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    constexpr auto relaxed = memory_order::relaxed;
    block.each_index(threads + 1, [&](int i) { mem.token(i) = T(5); });
    block.sync();
    if (device)
      block.each_thread([&](thread t) {
        mem.token.atomic(t.rank + 1)
            .store(mem.token.atomic(t.rank).load(relaxed, memory_scope::device) + T(1), relaxed, memory_scope::device);
      });
    else
      block.each_thread([&](thread t) { mem.token.atomic(t.rank + 1).store(mem.token.atomic(t.rank).load() + T(1)); });
    block.sync();
    block.each_thread([&](thread t) { out(t.rank) = mem.token.load(t.rank + 1); });
  }
};

template <class T, class B>
void check_tokens() {
  typename B::stream s;
  for (bool device : {false, true}) {
    guarded<T, B> out(s, threads);
    launch(s, grid(1), hands_on<T>{out.view(), device});
    auto const tokens = out.values();
    for (int i = 0; i < threads; ++i) {
      if (is_cpu<B> && !is_check<B>) {  // one after another
        REQUIRE(tokens[std::size_t(i)] == T(6 + i));
      } else {
        REQUIRE(tokens[std::size_t(i)] >= T(6));
        REQUIRE(tokens[std::size_t(i)] <= T(6 + i));
      }
    }
  }
}

}  // namespace test_bare

TEST_CASE_TEMPLATE("atomics: nothing is lost, int", B, DOLMEN_TEST_BACKENDS) { test_bare::check_counts<int, B>(); }
TEST_CASE_TEMPLATE("atomics: nothing is lost, float", B, DOLMEN_TEST_BACKENDS) { test_bare::check_counts<float, B>(); }
TEST_CASE_TEMPLATE("atomics: nothing is lost, double", B, DOLMEN_TEST_BACKENDS) { test_bare::check_counts<double, B>(); }
TEST_CASE_TEMPLATE("atomics: loads and stores are not reordered", B, DOLMEN_TEST_BACKENDS) {
  test_bare::check_tokens<int, B>();
  test_bare::check_tokens<double, B>();
}
