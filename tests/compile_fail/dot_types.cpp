#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using other = float;
#else
using other = double;
#endif

double go(dolmen::BACKEND::stream const& s, dolmen::view<float> a, dolmen::view<other> b) { return dot<double>(s, a, b); }
