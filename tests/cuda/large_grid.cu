// More blocks than 2^31: the product is large, no extent is.
#include "../backends.hpp"

#include "../support/guarded.hpp"

using namespace dolmen;

namespace test_large_grid {

struct counts {
  using shape = block_shape<32>;
  view<int, 2> seen;  // by y and z; every y and z has as many blocks along x
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    if (block.index.x == block.grid.x - 1) block.each_thread(1, [&](thread) { seen(block.index.z, block.index.y) += 1; });
  }
};

}  // namespace test_large_grid

TEST_CASE_TEMPLATE("large: a grid of more than 2^31 blocks", B, cuda::backend) {
  typename B::stream s;
  for (grid g : {grid(1100, 2000, 1000), grid(40000, 70000), grid(40000, 1, 70000)}) {
    REQUIRE(g.blocks() > (index_t(1) << 31));
    testing::guarded<int, B, 2> seen(s, {{g.z, g.y}}, std::vector<int>(std::size_t(g.y * g.z), 0));
    launch(s, g, test_large_grid::counts{seen.view()});
    CHECK(seen.values() == std::vector<int>(std::size_t(g.y * g.z), 1));
    CHECK(seen.intact());
  }
}
