#include <dolmen/dolmen.hpp>

struct scale {
  using shape = dolmen::block_shape<32>;
  dolmen::view<float, 2> data;
  int const count;
#if defined(CORRECT)
  float factor;
#else
  float const& factor;
#endif
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](dolmen::thread t) {
      if (t.rank < count) data(0, t.rank) *= factor;
    });
  }
};

void go(dolmen::BACKEND::stream const& s, dolmen::view<float, 2> v, float f) { launch(s, dolmen::grid(1), scale{v, 3, f}); }
