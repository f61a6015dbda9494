#include <dolmen/core/view.hpp>

#if defined(CORRECT)
float first(dolmen::view<float> v, int i) { return v.load(i); }
#else
float first(dolmen::view<float> v, double i) { return v.load(i); }
#endif
