// Pipelines: what is waited for has landed, and a stage holds its own step's data, over hundreds of steps.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;

namespace test_pipelines {

/// Stages of E, filled Ahead steps before they are used. Every element that arrives is looked at: out(block) counts the wrong ones.
template <int Stages, class E, class T, int N>
struct pipeline {
  using shape = block_shape<64>;
  static constexpr int columns = 32;
  struct shared {
    tile<T, 4, columns> stage[Stages];
  };
  view<E const, 2> from;  // 4 x steps * columns; its element (i, j) is expected(i, j)
  view<int> wrong;        // one per block
  int steps;

  static DOLMEN_FN T expected(index_t i, index_t j) { return static_cast<T>(int((i * 37 + j * 11) % 128)); }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const fetch = [&](int step) {
      if (step < steps) block.copy_async(mem.stage[step % Stages], fixed<4, columns>{}, from, 0, index_t(step) * columns);
      block.commit_copies();
    };
    auto bad = block.per_thread(0);
    for (int step = 0; step < Stages - 1; ++step) fetch(step);
    for (int step = 0; step < steps; ++step) {
      block.wait_copies(Stages - 2);
      block.sync();
      fetch(step + Stages - 1);
      block.each_thread([&](thread t) {
        for (int k = 0; k < 2; ++k) {  // what another thread has copied
          int const e = (t.rank * 2 + k + 77) % (4 * columns);
          bad[t] +=
              !(mem.stage[step % Stages].load(e / columns, e % columns) == expected(e / columns, index_t(step) * columns + e % columns));
        }
      });
    }
    block.wait_copies(0);
    block.each_thread([&](thread) {});
    int const all = block.reduce(bad);
    block.each_thread(1, [&](thread) { wrong(block.index.x) = all; });
  }
};

template <class B, int Stages, class E, class T, int N>
void check_pipeline(int steps) {
  using kernel = pipeline<Stages, E, T, N>;
  CAPTURE(Stages);
  CAPTURE(steps);
  typename B::stream s;
  index_t const width = index_t(steps) * kernel::columns;
  std::vector<T> values(std::size_t(4 * width));
  for (index_t i = 0; i < 4; ++i)
    for (index_t j = 0; j < width; ++j) values[std::size_t(i * width + j)] = kernel::expected(i, j);
  guarded<T, B, 2> from(s, {{4, width}}, values);
  guarded<int, B> wrong(s, 8);
  view<E const, 2> in;
  if constexpr (N == 1)
    in = from.const_view();
  else
    in = from.const_view().template as_packs<N>();
  launch(s, grid(8), kernel{in, wrong.view(), steps});
  CHECK(wrong.values() == std::vector<int>(8, 0));
  CHECK(wrong.intact());
}

/// Eight groups, one line of a tile each, waited for one after another: wait_copies(7) for the first, (0) for the last. With
/// `empty`, as many groups without a copy lie between.
template <bool Empty>
struct counts {
  using shape = block_shape<32>;
  static constexpr int groups = Empty ? 4 : 8, wide = 128;
  struct shared {
    tile<float, groups, wide> to;
  };
  view<float const, 2> from;
  view<float, 2> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    for (int g = 0; g < groups; ++g) {
      // A box of one line into a lower line of the tile: by way of a view that begins higher.
      block.copy_async(line(mem, g), fixed<1, wide>{}, from, g, 0);
      block.commit_copies();
      if (Empty) block.commit_copies();
    }
    for (int g = 0; g < groups; ++g) {
      int const newer = (groups - 1 - g) * (Empty ? 2 : 1);
      block.wait_copies(Empty ? newer + 1 : newer);
      block.sync();
      block.each_index(wide, [&](int x) { out(g, x) = mem.to.load(g, wide - 1 - x); });
    }
  }
  static DOLMEN_FN tile<float, 1, wide>& line(shared& mem, int g) {
    return *reinterpret_cast<tile<float, 1, wide>*>(mem.to.elements + g * wide);
  }
};

template <class B, bool Empty>
void check_counts() {
  using kernel = counts<Empty>;
  typename B::stream s;
  auto const values = testing::random_values<float>(kernel::groups * kernel::wide);
  guarded<float, B, 2> from(s, {{kernel::groups, kernel::wide}}, values), out(s, {{kernel::groups, kernel::wide}});
  for (int round = 0; round < 10; ++round) {
    launch(s, grid(1), kernel{from.const_view(), out.view()});
    auto const found = out.values();
    int wrong = 0;
    for (int g = 0; g < kernel::groups; ++g)
      for (int x = 0; x < kernel::wide; ++x)
        wrong += found[std::size_t(g * kernel::wide + x)] != values[std::size_t(g * kernel::wide + kernel::wide - 1 - x)];
    CHECK(wrong == 0);
  }
}

/// The first column is no multiple of the pack.
struct between_packs {
  using shape = block_shape<32>;
  struct shared {
    tile<float, 4, 8> to;
  };
  view<pack<float, 4> const, 2> from;
  int column;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.copy_async(mem.to, fixed<4, 8>{}, from, 0, column);
    block.commit_copies();
    block.wait_copies(0);
  }
};

}  // namespace test_pipelines

using namespace test_pipelines;

TEST_CASE_TEMPLATE("copies: pipelines of 2, 3 and 4 stages", B, DOLMEN_TEST_BACKENDS) {
  for (int steps : {1, 2, 3, 4, 5, 400}) {
    check_pipeline<B, 2, float, float, 1>(steps);
    check_pipeline<B, 3, pack<half, 8>, half, 8>(steps);
    check_pipeline<B, 4, pack<float, 4>, float, 4>(steps);
    check_pipeline<B, 4, half, half, 1>(steps);
  }
}

TEST_CASE_TEMPLATE("copies: wait_copies(0) to (7), and groups of nothing", B, DOLMEN_TEST_BACKENDS) {
  check_counts<B, false>();
  check_counts<B, true>();
}

#if DOLMEN_HAS_CPU || DOLMEN_HAS_CHECK
TEST_CASE_TEMPLATE("copies: a column between packs is a launch_error on the CPU", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  guarded<float, B, 2> from(s, {{4, 16}}, testing::whole_values<float>(64));
  auto const in = from.const_view().template as_packs<4>();
  for (int column : {1, 2, -3}) try {
      launch(s, grid(1), between_packs{in, column});
      FAIL("nothing was thrown");
    } catch (launch_error const& e) {
      CHECK(std::string(e.what()).find("the first column is a multiple of the pack") != std::string::npos);
    }
  launch(s, grid(1), between_packs{in, 4});
}
#endif
