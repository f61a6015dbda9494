#include <dolmen/dolmen.hpp>

struct scaled {
#if defined(CORRECT)
  float factor;
#else
  float& factor;
#endif
  DOLMEN_FN float operator()(float x) const { return x * factor; }
};

void go(dolmen::BACKEND::stream const& s, dolmen::view<float> v, float f) {
  transform(s, v, v, scaled{f});
  (void)transform_reduce(s, v, scaled{f}, dolmen::plus{}, 0.0f);
}
