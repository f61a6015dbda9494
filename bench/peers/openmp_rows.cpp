// The library's algorithms on matrices by hand for the CPU.
#include "peers.hpp"

namespace study::peers {

using stream = dolmen::cpu::stream;

template <class T>
void transpose_elements(stream const&, T const* in, T* out, index_t side) {
  constexpr index_t tile = 32;
#pragma omp parallel for
  for (index_t y0 = 0; y0 < side; y0 += tile)
    for (index_t x0 = 0; x0 < side; x0 += tile)
      for (index_t y = y0; y < dolmen::min(side, y0 + tile); ++y)
        for (index_t x = x0; x < dolmen::min(side, x0 + tile); ++x) out[x * side + y] = in[y * side + x];
}
template void transpose_elements(stream const&, float const*, float*, index_t);
template void transpose_elements(stream const&, double const*, double*, index_t);
template void transpose_elements(stream const&, dolmen::half const*, dolmen::half*, index_t);
template void transpose_elements(stream const&, std::uint8_t const*, std::uint8_t*, index_t);

}  // namespace study::peers
