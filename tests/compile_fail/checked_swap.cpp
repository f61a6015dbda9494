// Under the check backend an element may not be kept: what reads as a swap would silently be something else.
#include <dolmen/core/view.hpp>

void swap(dolmen::view<float> v) {
#if defined(CORRECT)
  float old = v(0);
  v(0) = v(1);
  v(1) = old;
#else
  auto old = v(0);
  v(0) = v(1);
  v(1) = old;
#endif
}
