#include <dolmen/dolmen.hpp>

struct nothing {};
struct positive {
  bool operator()(float value) const { return value > 0; }
};
#if defined(CORRECT)
using predicate = positive;
#else
using predicate = nothing;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<float const> in, dolmen::view<float> out) { select(s, in, out, predicate{}); }
