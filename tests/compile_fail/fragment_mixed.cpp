#include <dolmen/dolmen.hpp>

using namespace dolmen;

#if defined(CORRECT)
using shape_used = mma_shape<32, 8, 16>;
#else
using shape_used = mma_shape<8, 32, 16>;
#endif

struct multiplies_tiles {
  using shape = block_shape<32>;
  view<half const, 2> in;
  view<float, 2> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      fragment<Block, matrix_a<half, mma_shape<32, 8, 16>>> a;
      fragment<Block, matrix_b<half, shape_used>> b;
      fragment<Block, accumulator<half, shape_used>> c{};
      warp.load(a, in, 0, 0);
      warp.load(b, in, 0, 0);
      warp.mma(c, a, b);
    });
  }
};

void go(BACKEND::stream const& s) { launch(s, grid(1), multiplies_tiles{}); }
