#include <dolmen/core/types.hpp>

double smallest(dolmen::index_t n, double x) {
#if defined(CORRECT)
  return dolmen::min(double(n), x);
#else
  return dolmen::min(n, x);
#endif
}
