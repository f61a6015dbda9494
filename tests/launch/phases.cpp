// Phases of a block: which threads run, which indices are covered, what survives.
#include "../backends.hpp"

#include <array>

#include "../core/lookup.hpp"
#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;

namespace test_phases {

/// out(rank) becomes 1 + everything a thread knows of itself, packed, for the first `active` threads.
template <class Shape, bool All>
struct who_runs {
  using shape = Shape;
  index_t active;
  view<std::int64_t> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const body = [&](thread t) {
      out(t.rank) = 1 + t.x + 10000 * t.y + 100000000ll * t.z + 10000000000ll * t.warp + 1000000000000ll * t.lane;
    };
    if constexpr (All)
      block.each_thread(body);
    else
      block.each_thread(active, body);
  }
};

/// What a kernel holds brings no functions of the library's into a program's calls.
struct looks_up {
  using shape = block_shape<64>;
  struct shared {
    tile<half, 64> halves;
  };
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, [[maybe_unused]] shared& mem) const {
    auto value = block.per_thread(1.0f);
    auto of_warp = block.per_warp(half(1.0f));
    block.each_warp([&](auto& warp) {
      auto lane = warp.per_lane(1);
      static_assert(program::found_alone<std::remove_reference_t<decltype(warp)>> && program::found_alone<decltype(lane)>);
    });
    static_assert(program::found_alone<Block> && program::found_alone<decltype(value)> && program::found_alone<decltype(of_warp)>);
    static_assert(program::found_alone<decltype(mem.halves)> && program::found_alone<decltype(block.index)>);
    block.each_thread(1, [&](thread t) {
      mem.halves(0) = half(value[t]);
      out(0) = int(mem.halves.load(0));
    });
  }
};

template <class Shape, class B>
void check_threads(typename B::stream const& s) {
  constexpr index_t x = Shape::x, size = Shape::size, huge = 1000000000000;
  for (index_t active : {-huge, index_t(-1), index_t(0), index_t(1), x - 1, x, x + 1, size - 1, size, size + 1, huge}) {
    CAPTURE(active);
    guarded<std::int64_t, B> out(s, std::vector<std::int64_t>(Shape::size, 0));
    launch(s, grid(1), who_runs<Shape, false>{active, out.view()});
    auto const seen = out.values();
    for (int z = 0, r = 0; z < Shape::z; ++z)
      for (int y = 0; y < Shape::y; ++y)
        for (int x = 0; x < Shape::x; ++x, ++r) {
          std::int64_t const expected = 1 + x + 10000 * y + 100000000ll * z + 10000000000ll * (r / 32) + 1000000000000ll * (r % 32);
          REQUIRE(seen[std::size_t(r)] == (r < active ? expected : 0));
        }
    CHECK(out.intact());
  }
  guarded<std::int64_t, B> out(s, std::vector<std::int64_t>(Shape::size, 0));
  launch(s, grid(1), who_runs<Shape, true>{0, out.view()});
  for (auto v : out.values()) REQUIRE(v > 0);
}

/// Counts how often each index comes.
struct cover {
  using shape = block_shape<32, 4>;
  int planes, rows, columns;
  view<int> line;
  view<int, 2> plane;
  view<int, 3> volume;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_index(columns, [&](int i) { line(i) += 1; });
    block.each_index(rows, columns, [&](int y, int x) { plane(y, x) += 1; });
    block.each_index(planes, rows, columns, [&](int z, int y, int x) { volume(z, y, x) += 1; });
  }
};

template <class Shape, int Planes, int Rows, int Columns>
struct cover_fixed {
  using shape = Shape;
  view<int> line;
  view<int, 2> plane;
  view<int, 3> volume;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_index(fixed<Columns>{}, [&](int i) { line(i) += 1; });
    block.each_index(fixed<Rows, Columns>{}, [&](int y, int x) { plane(y, x) += 1; });
    block.each_index(fixed<Planes, Rows, Columns>{}, [&](int z, int y, int x) { volume(z, y, x) += 1; });
  }
};

template <class B, class Launch>
void check_cover(typename B::stream const& s, int planes, int rows, int columns, Launch launch_on) {
  CAPTURE(planes);
  CAPTURE(rows);
  CAPTURE(columns);
  auto const zeros = [](index_t n) { return std::vector<int>(std::size_t(n), 0); };
  auto const ones = [](index_t n) { return std::vector<int>(std::size_t(n), 1); };
  guarded<int, B> line(s, zeros(columns));
  guarded<int, B, 2> plane(s, {{rows, columns}}, zeros(rows * columns));
  guarded<int, B, 3> volume(s, {{planes, rows, columns}}, zeros(planes * rows * columns));
  launch_on(line.view(), plane.view(), volume.view());
  CHECK(line.values() == ones(columns));
  CHECK(plane.values() == ones(rows * columns));
  CHECK(volume.values() == ones(planes * rows * columns));
  CHECK((line.intact() && plane.intact() && volume.intact()));
}

template <class Shape, int Planes, int Rows, int Columns, class B>
void check_fixed(typename B::stream const& s) {
  check_cover<B>(s, Planes, Rows, Columns, [&](view<int> line, view<int, 2> plane, view<int, 3> volume) {
    launch(s, grid(1), cover_fixed<Shape, Planes, Rows, Columns>{line, plane, volume});
  });
}

/// Values that threads keep over barriers; then every thread reads its neighbour's through shared memory.
struct keeps {
  using shape = block_shape<32, 4>;
  struct shared {
    tile<int, 128> seen;
  };
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto mine = block.per_thread(5);
    auto pair = block.per_thread(dolmen::array<double, 3>{{1, 2, 3}});
    block.each_thread([&](thread t) { mine[t] += t.rank; });
    block.sync();
    block.each_thread(64, [&](thread t) { mine[t] *= 2; });
    block.each_thread([&](thread t) { pair[t][1] += mine[t]; });
    block.each_thread([&](thread t) { mem.seen(t.rank) = mine[t]; });
    block.sync();
    int const told = block.uniform(mine, 77);
    int const first = block.uniform(mine);
    block.each_thread([&](thread t) {
      out(t.rank) = mem.seen.load((t.rank + 1) % 128) + 1000 * told + 1000000 * first + (pair[t][1] == 2 + mine[t] ? 0 : -1);
    });
  }
};

/// Later phases of one loop reuse what per_thread took.
struct many_values {
  using shape = block_shape<64>;
  view<float> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto total = block.per_thread(0.0f);
    for (int i = 0; i < 100; ++i) {
      auto step = block.per_thread(dolmen::array<float, 64>{});
      block.each_thread([&](thread t) { step[t][i % 64] += 1; });
      block.each_thread([&](thread t) { total[t] += step[t][i % 64]; });
    }
    auto const first = block.first_index();
    block.each_thread([&](thread t) { out(first + t.rank) = total[t]; });
  }
};

struct clocks {
  using shape = block_shape<32>;
  view<std::int64_t> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const c0 = block.clock(), n0 = block.nanoseconds();
    auto x = block.per_thread(1.0f);
    for (int i = 0; i < 1000; ++i) block.each_thread([&](thread t) { x[t] = x[t] * 1.5f + 0.25f; });
    block.sync();
    auto const c1 = block.clock(), n1 = block.nanoseconds();
    block.each_thread(1, [&](thread t) {
      out(0) = c1 - c0;
      out(1) = n1 - n0;
      out(2) = x[t] > 0;
    });
  }
};

}  // namespace test_phases

TEST_CASE_TEMPLATE("each_thread: active threads in blocks of one to three dimensions", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  test_phases::check_threads<block_shape<256>, B>(s);
  test_phases::check_threads<block_shape<32, 8>, B>(s);
  test_phases::check_threads<block_shape<5, 3, 7>, B>(s);
  test_phases::check_threads<block_shape<1>, B>(s);
  test_phases::check_threads<block_shape<1024>, B>(s);
  test_phases::check_threads<block_shape<1, 1, 64>, B>(s);
}

TEST_CASE_TEMPLATE("each_index: run-time extents, each index exactly once", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (auto [p, r, c] :
       {std::array<int, 3>{1, 1, 1}, {2, 10, 34}, {3, 4, 32}, {5, 3, 100}, {1, 200, 1}, {70, 1, 3}, {0, 4, 4}, {3, 0, 5}, {2, 3, 0}})
    test_phases::check_cover<B>(s, p, r, c, [&, p = p, r = r, c = c](view<int> line, view<int, 2> plane, view<int, 3> volume) {
      launch(s, grid(1), test_phases::cover{p, r, c, line, plane, volume});
    });
}

TEST_CASE_TEMPLATE("each_index: fixed extents, each index exactly once", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  using flat = block_shape<32, 8>;
  using deep = block_shape<8, 4, 4>;
  test_phases::check_fixed<flat, 1, 10, 34, B>(s);
  test_phases::check_fixed<flat, 2, 32, 32, B>(s);
  test_phases::check_fixed<flat, 3, 7, 31, B>(s);
  test_phases::check_fixed<block_shape<256>, 2, 5, 300, B>(s);
  test_phases::check_fixed<deep, 5, 9, 17, B>(s);
  test_phases::check_fixed<deep, 1, 1, 1, B>(s);
}

TEST_CASE_TEMPLATE("per_thread: values survive barriers; uniform tells one to all", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<int, B> out(s, 128);
  launch(s, grid(1), test_phases::keeps{out.view()});
  auto const value = [](int r) { return (5 + r) * (r < 64 ? 2 : 1); };
  auto const seen = out.values();
  for (int r = 0; r < 128; ++r) REQUIRE(seen[std::size_t(r)] == value((r + 1) % 128) + 1000 * value(77) + 1000000 * value(0));
}

TEST_CASE_TEMPLATE("per_thread: many, of 256 bytes, in loops", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<float, B> out(s, 64 * 50);
  launch(s, grid(50), test_phases::many_values{out.view()});
  CHECK(out.values() == std::vector<float>(64 * 50, 100.0f));
}

TEST_CASE_TEMPLATE("lookup: in a kernel", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<int, B> out(s, 1);
  launch(s, grid(1), test_phases::looks_up{out.view()});
  CHECK(out.values()[0] == 1);
}

TEST_CASE_TEMPLATE("clocks: time passes", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<std::int64_t, B> out(s, 3);
  launch(s, grid(1), test_phases::clocks{out.view()});
  auto const t = out.values();
  CHECK(t[0] > 0);
  CHECK(t[1] > 0);
  CHECK(t[1] < 1000000000);
  CHECK(t[2] == 1);
}
