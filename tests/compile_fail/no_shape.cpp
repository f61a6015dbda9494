#include <dolmen/dolmen.hpp>

struct shapeless {
#if defined(CORRECT)
  using shape = dolmen::block_shape<32>;
#endif
  template <class Block>
  void operator()(Block&) const {}
};

void go(dolmen::BACKEND::stream const& s) { launch(s, dolmen::grid(1), shapeless{}); }
