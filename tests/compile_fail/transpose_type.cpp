#include <dolmen/dolmen.hpp>

struct rgb {
  float red, green, blue;
};
#if defined(CORRECT)
using element = float;
#else
using element = rgb;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element const, 2> in, dolmen::view<element, 2> out) { transpose(s, in, out); }
