#include <dolmen/dolmen.hpp>

using namespace dolmen;

#if defined(CORRECT)
using second = matrix_b<half>;
#else
using second = matrix_a<half>;
#endif

struct multiplies_tiles {
  using shape = block_shape<32>;
  view<half const, 2> in;
  view<float, 2> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      fragment<Block, matrix_a<half>> a;
      fragment<Block, second> b;
      fragment<Block, accumulator<half>> c{};
      warp.load(a, in, 0, 0);
      warp.load(b, in, 0, 0);
      warp.mma(c, a, b);
    });
  }
};

void go(BACKEND::stream const& s) { launch(s, grid(1), multiplies_tiles{}); }
