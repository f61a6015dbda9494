#include <dolmen/dolmen.hpp>

struct point {
  float x, y;
};
#if defined(CORRECT)
using element = double;
#else
using element = point;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element const> keys, dolmen::view<int> counts) { histogram(s, keys, counts, 0, 1); }
