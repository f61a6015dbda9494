#include <dolmen/core/half.hpp>

int whole(dolmen::half h) {
#if defined(CORRECT)
  return int(h);
#else
  return h;
#endif
}
