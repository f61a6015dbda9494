#include <dolmen/dolmen.hpp>

struct big {
#if defined(CORRECT)
  using shape = dolmen::block_shape<1000>;
#else
  using shape = dolmen::block_shape<2000>;
#endif
  template <class Block>
  DOLMEN_FN void operator()(Block&) const {}
};

void go(dolmen::BACKEND::stream const& s) { launch(s, dolmen::grid(1), big{}); }
