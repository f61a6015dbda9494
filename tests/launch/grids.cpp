// Grids: every block runs once, knows where it is, and any extent is possible.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;

namespace test_grids {

/// Adds one to the count of this block's place, and tells what it sees.
struct mark_block {
  using shape = block_shape<32>;
  view<std::int32_t, 3> count;  // z, y, x
  view<std::int32_t> sizes;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(1, [&](thread) {
      count(block.index.z, block.index.y, block.index.x) += 1;
      if (block.index.x == 0 && block.index.y == 0 && block.index.z == 0) {
        sizes(0) = block.grid.x;
        sizes(1) = block.grid.y;
        sizes(2) = block.grid.z;
        sizes(3) = block.size;
      }
    });
  }
};

struct first_indices {
  using shape = block_shape<4, 2>;
  view<std::int64_t> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(out.size() - first, [&](thread t) { out(first + t.rank) = first + t.rank; });
  }
};

template <class B>
void run(typename B::stream const& s, grid g) {
  guarded<std::int32_t, B, 3> count(s, {{g.z, g.y, g.x}});
  fill(s, count.view(), 0);
  guarded<std::int32_t, B> sizes(s, 4);
  launch(s, g, mark_block{count.view(), sizes.view()});
  CAPTURE(g.x);
  CAPTURE(g.y);
  CAPTURE(g.z);
  CHECK(count.values() == std::vector<std::int32_t>(std::size_t(g.blocks()), 1));
  CHECK(count.intact());
  CHECK(sizes.values() == std::vector<std::int32_t>{std::int32_t(g.x), std::int32_t(g.y), std::int32_t(g.z), 32});
}

}  // namespace test_grids

TEST_CASE_TEMPLATE("launch: grids of one to three dimensions", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (grid g : {grid(1), grid(2), grid(1000), grid(3, 5), grid(1, 7), grid(1, 1, 9), grid(3, 4, 5), grid(17, 1, 3)})
    test_grids::run<B>(s, g);
}

TEST_CASE_TEMPLATE("launch: y and z beyond 65535", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (grid g : {grid(1, 65535), grid(1, 65536), grid(2, 70001), grid(1, 1, 65536), grid(2, 1, 70001), grid(1, 2, 65537)})
    test_grids::run<B>(s, g);
}

TEST_CASE_TEMPLATE("launch: no blocks, nothing runs", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<std::int32_t, B, 3> count(s, {{1, 1, 1}});
  guarded<std::int32_t, B> sizes(s, 4);
  for (grid g : {grid(0), grid(5, 0), grid(5, 5, 0), grid(0, 0, 0)}) launch(s, g, test_grids::mark_block{count.view(), sizes.view()});
  CHECK(count.unchanged());
  CHECK(sizes.unchanged());
}

TEST_CASE_TEMPLATE("launch: extents that are refused, and the next launch works", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<std::int32_t, B, 3> count(s, {{1, 1, 1}});
  guarded<std::int32_t, B> sizes(s, 4);
  test_grids::mark_block const kernel{count.view(), sizes.view()};
  CHECK(complaint<invalid_argument>({"-1 x 1 x 1", "negative"}, [&] { launch(s, grid(-1), kernel); }) == "");
  CHECK(complaint<invalid_argument>({"0 x -2 x 3"}, [&] { launch(s, grid(0, -2, 3), kernel); }) == "");
  CHECK(complaint<launch_error>({"2147483648", "2147483647"}, [&] { launch(s, grid(index_t(1) << 31), kernel); }) == "");
  index_t const most = 0x7fffffff, beyond = std::numeric_limits<index_t>::max();
  CHECK(complaint<launch_error>({"2147483647 x 2147483647 x 2", "2^62"}, [&] { launch(s, grid(most, most, 2), kernel); }) == "");
  CHECK(complaint<launch_error>({"9223372036854775807"}, [&] { launch(s, grid(beyond, beyond, beyond), kernel); }) == "");
  CHECK(count.unchanged());
  test_grids::run<B>(s, grid(2, 2));
}

TEST_CASE_TEMPLATE("launch: first_index and the last block's active threads", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {1, 7, 8, 9, 1000, 4097}) {
    guarded<std::int64_t, B> out(s, n, {1, 0, true});
    launch(s, grid(ceil_div(n, index_t(8))), test_grids::first_indices{out.view()});
    auto const values = out.values();
    for (index_t i = 0; i < n; ++i) REQUIRE(values[std::size_t(i)] == i);
    CHECK(out.intact());
  }
}
