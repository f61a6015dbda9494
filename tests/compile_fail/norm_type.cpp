#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using element = float;
#else
using element = long double;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element const, 2> in, dolmen::view<element, 2> out) { rms_norm(s, in, out); }
