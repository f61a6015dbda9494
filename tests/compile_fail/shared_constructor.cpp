#include <dolmen/dolmen.hpp>

struct starts {
  using shape = dolmen::block_shape<32>;
  struct shared {
#if defined(CORRECT)
    int count;
#else
    int count = 0;
#endif
  };
  template <class Block>
  void operator()(Block&, shared&) const {}
};

void go(dolmen::BACKEND::stream const& s) { launch(s, dolmen::grid(1), starts{}); }
