#include <dolmen/dolmen.hpp>

struct point {
  float x, y;
};
#if defined(CORRECT)
using element = float;
#else
using element = point;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element> keys) { sort(s, keys); }
