#include <dolmen/dolmen.hpp>

struct odd_size {
  char bytes[3];
};
#if defined(CORRECT)
using element = double;
#else
using element = odd_size;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<float> keys, dolmen::view<element> values) { sort_by_key(s, keys, values); }
