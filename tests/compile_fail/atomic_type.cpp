#include <dolmen/core/tile.hpp>

#if defined(CORRECT)
using element = int;
#else
using element = short;
#endif

void go(dolmen::tile<element, 4>& t) { t.atomic(0).fetch_add(1); }
