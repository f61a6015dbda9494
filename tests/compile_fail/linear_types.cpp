#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using element = float;
#else
using element = double;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<float> x, dolmen::view<element> y) { axpy(s, 2, x, y); }
