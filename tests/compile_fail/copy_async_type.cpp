#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using element = dolmen::pack<float, 4>;
#else
using element = dolmen::pack<double, 2>;
#endif

struct copies {
  using shape = dolmen::block_shape<32>;
  struct shared {
    dolmen::tile<float, 8, 16> a;
  };
  dolmen::view<element const, 2> in;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.copy_async(mem.a, dolmen::fixed<8, 16>{}, in, 0, 0);
  }
};

void go(dolmen::BACKEND::stream const& s) { launch(s, dolmen::grid(1), copies{}); }
