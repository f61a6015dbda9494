// A buffer of one backend and the stream of another.
#include <dolmen/dolmen.hpp>

struct other {
  struct backend {};
};
#if defined(CORRECT)
using stream = dolmen::BACKEND::stream;
#else
using stream = other;
#endif

dolmen::buffer<float, dolmen::BACKEND::backend> go(stream const& s) { return {s, 10}; }
