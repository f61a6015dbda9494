#include <dolmen/dolmen.hpp>

struct odd_size {
  char bytes[3];
};
#if defined(CORRECT)
using element = int;
#else
using element = odd_size;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<element const> in, dolmen::view<bool const> flags, dolmen::view<element> out) {
  compact(s, in, flags, out);
}
