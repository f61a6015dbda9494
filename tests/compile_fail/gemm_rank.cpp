#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
using matrix = dolmen::view<float, 2>;
#else
using matrix = dolmen::view<float>;
#endif

void go(dolmen::BACKEND::stream const& s, matrix a, matrix c) { gemm(s, 1, a, a, 0, c); }
