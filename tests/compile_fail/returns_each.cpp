#include <dolmen/dolmen.hpp>

void go(dolmen::BACKEND::stream const& s, dolmen::view<int> out) {
#if defined(CORRECT)
  dolmen::for_each_index(s, 8, [=](dolmen::index_t i) { out(i) = int(i); });
#else
  dolmen::for_each_index(s, 8, [=](dolmen::index_t i) { return int(i) + out.load(i); });
#endif
}
