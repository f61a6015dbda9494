#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using element = float;
#else
using element = float const;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<float> in, dolmen::view<element> out) { copy(s, in, out); }
