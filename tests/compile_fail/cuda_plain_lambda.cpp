#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using stream = dolmen::cpu::stream;
#else
using stream = dolmen::cuda::stream;
#endif

void go(stream const& s, dolmen::view<float> v) {
  dolmen::for_each_index(
      s, v.size(), DOLMEN_LAMBDA(dolmen::index_t i) { v(i) = 1; });
}
