#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using element = float;
#else
using element = int;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element const, 2> in, dolmen::view<element, 2> out) {
  stencil(s, in, out, dolmen::stencil_weights<2>::star(1, 1), dolmen::boundary::zero);
}
