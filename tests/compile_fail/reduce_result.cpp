#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using result = float;
#else
using result = double;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<float> in, dolmen::view<result> out) { reduce(s, in, out, dolmen::maximum{}); }
