#include <dolmen/dolmen.hpp>

struct sum_of_two {
  float operator()(float a, float b) const { return a + b; }
};

#if defined(CORRECT)
void go(dolmen::BACKEND::stream const& s, dolmen::view<float> v) { transform(s, v, v, v, sum_of_two{}); }
#else
void go(dolmen::BACKEND::stream const& s, dolmen::view<float> v) { transform(s, v, v, sum_of_two{}); }
#endif
