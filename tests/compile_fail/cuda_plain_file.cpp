// A kernel on a cuda::stream, in a file that goes through the C++ compiler.
#include <dolmen/dolmen.hpp>

struct nothing {
  using shape = dolmen::block_shape<32>;
  template <class Block>
  DOLMEN_FN void operator()(Block&) const {}
};

#if defined(CORRECT)
void go(dolmen::cpu::stream const& s) { launch(s, dolmen::grid(1), nothing{}); }
#else
void go(dolmen::cuda::stream const& s) { launch(s, dolmen::grid(1), nothing{}); }
#endif
