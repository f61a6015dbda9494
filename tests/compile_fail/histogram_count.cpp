#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using count = std::uint32_t;
#else
using count = float;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<float const> keys, dolmen::view<count> counts) { histogram(s, keys, counts, 0, 1); }
