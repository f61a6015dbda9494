// What the CUDA compiler made of a kernel, asked in a file that goes through the C++ compiler.
#include <dolmen/dolmen.hpp>

struct nothing {
  using shape = dolmen::block_shape<32>;
  template <class Block>
  DOLMEN_FN void operator()(Block&) const {}
};

#if defined(CORRECT)
using stream = dolmen::cpu::stream;
#else
using stream = dolmen::cuda::stream;
#endif

void go(stream const& s) { launch_cooperative(s, dolmen::grid(dolmen::persistent_blocks<nothing>(s)), nothing{}); }
