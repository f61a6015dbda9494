#include <dolmen/dolmen.hpp>

using namespace dolmen;

#if defined(CORRECT)
using stored = accumulator<tf32>;
#else
using stored = matrix_a<tf32>;
#endif

struct multiplies_tiles {
  using shape = block_shape<32>;
  view<half const, 2> in;
  view<float, 2> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      fragment<Block, stored> f;
      warp.fill(f, 1.0f);
      warp.store(out, 0, 0, f);
    });
  }
};

void go(BACKEND::stream const& s) { launch(s, grid(1), multiplies_tiles{}); }
