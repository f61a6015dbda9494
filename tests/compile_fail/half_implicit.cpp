#include <dolmen/core/half.hpp>

dolmen::half narrowed(float f) {
#if defined(CORRECT)
  return dolmen::half(f);
#else
  return f;
#endif
}
