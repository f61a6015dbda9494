#include <dolmen/dolmen.hpp>

struct point {
  float x, y;
};
struct add_points {
  DOLMEN_FN point operator()(point a, point b) const { return {a.x + b.x, a.y + b.y}; }
};

// Elements that are no numbers have an initial value.
#if defined(CORRECT)
void go(dolmen::BACKEND::stream const& s, dolmen::view<point> in, dolmen::view<point> out) {
  reduce(s, in, out, add_points{}, point{0, 0});
}
#else
void go(dolmen::BACKEND::stream const& s, dolmen::view<point> in, dolmen::view<point> out) { reduce(s, in, out, add_points{}); }
#endif
