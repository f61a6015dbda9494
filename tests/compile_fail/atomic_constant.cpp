#include <dolmen/core/view.hpp>

#if defined(CORRECT)
using element = int;
#else
using element = int const;
#endif

int go(dolmen::view<element> v) { return v.atomic(0).load(); }
