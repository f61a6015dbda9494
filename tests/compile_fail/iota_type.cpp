#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using element = unsigned char;
#else
using element = bool;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element> out) { iota(s, out); }
