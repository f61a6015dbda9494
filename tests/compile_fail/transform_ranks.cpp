#include <dolmen/dolmen.hpp>

struct negative {
  float operator()(float a) const { return -a; }
};
#if defined(CORRECT)
constexpr int rank = 2;
#else
constexpr int rank = 1;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<float, 2> in, dolmen::view<float, rank> out) { transform(s, in, out, negative{}); }
