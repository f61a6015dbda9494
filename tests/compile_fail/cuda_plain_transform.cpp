#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using stream = dolmen::cpu::stream;
#else
using stream = dolmen::cuda::stream;
#endif

void go(stream const& s, dolmen::view<float> v) {
  transform(
      s, v, v, DOLMEN_LAMBDA(float x) { return -x; });
}
