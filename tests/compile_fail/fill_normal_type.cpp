#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using element = float;
#else
using element = int;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element> out) { fill_normal(s, out, 1); }
