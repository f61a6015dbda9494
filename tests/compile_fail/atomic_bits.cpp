#include <dolmen/core/view.hpp>

#if defined(CORRECT)
using element = unsigned;
#else
using element = float;
#endif

void go(dolmen::view<element> v) { v.atomic(0).fetch_xor(1); }
