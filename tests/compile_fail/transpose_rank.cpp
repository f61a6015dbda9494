#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
constexpr int rank = 2;
#else
constexpr int rank = 1;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<float const, rank> in, dolmen::view<float, rank> out) { transpose(s, in, out); }
