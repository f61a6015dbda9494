#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
constexpr int pad = 8;
#else
constexpr int pad = 1;
#endif

struct loads {
  using shape = dolmen::block_shape<32>;
  struct shared {
    dolmen::tile<dolmen::half, 16, 16 + pad> a;
  };
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_warp([&](auto& warp) {
      dolmen::fragment<Block, dolmen::matrix_a<dolmen::half>> a;
      warp.load(a, mem.a, 0, 0);
    });
  }
};

void go(dolmen::BACKEND::stream const& s) { launch(s, dolmen::grid(1), loads{}); }
