#include <dolmen/dolmen.hpp>

struct point {
  float x, y;
};
#if defined(CORRECT)
using element = dolmen::half;
#else
using element = point;
#endif

dolmen::index_t go(dolmen::BACKEND::stream const& s, dolmen::view<element> in) { return argmin(s, in); }
