// A buffer of one backend and the stream of another.
#include <dolmen/dolmen.hpp>

struct other {
  struct backend {};
};
#if defined(CORRECT)
using stream = dolmen::cpu::stream;
#else
using stream = other;
#endif

dolmen::buffer<float, dolmen::cpu::backend> go(stream const& s) { return {s, 10}; }
