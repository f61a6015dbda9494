#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using element = double;
#else
using element = int;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element const, 2> a, dolmen::view<element, 2> c) { gemm(s, 1, a, a, 0, c); }
