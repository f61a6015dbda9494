#include <dolmen/dolmen.hpp>

struct point {
  float x, y;
};
#if defined(CORRECT)
using element = float;
#else
using element = double;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<point> points, dolmen::view<element> x) {
  split_fields(s, points, dolmen::fields<&point::x>(x));
}
