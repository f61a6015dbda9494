#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using result = std::int64_t;
#else
using result = float;
#endif

void go(dolmen::BACKEND::stream const& s, dolmen::view<int> in, dolmen::view<result> out) { inclusive_scan(s, in, out); }
