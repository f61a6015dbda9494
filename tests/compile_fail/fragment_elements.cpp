#include <dolmen/dolmen.hpp>

using namespace dolmen;

#if defined(CORRECT)
using loaded = matrix_a<half>;
#else
using loaded = matrix_a<bfloat16>;
#endif

struct multiplies_tiles {
  using shape = block_shape<32>;
  view<half const, 2> in;
  view<float, 2> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      fragment<Block, loaded> f;
      warp.load(f, in, 0, 0);
    });
  }
};

void go(BACKEND::stream const& s) { launch(s, grid(1), multiplies_tiles{}); }
