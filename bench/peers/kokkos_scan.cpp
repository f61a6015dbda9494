#include <Kokkos_Core.hpp>

#include "scans.hpp"

namespace study::peers {

template <class T>
void kokkos_scan(T const* in, T* out, dolmen::index_t n) {
  using sum = std::conditional_t<sizeof(T) == 1, std::uint32_t, std::conditional_t<sizeof(T) == 2, float, T>>;  // Kokkos: whole ints
  static int const started [[maybe_unused]] = dolmen::cpu::workers();  // which starts Kokkos where nothing has
  Kokkos::parallel_scan("scan", Kokkos::RangePolicy<Kokkos::OpenMP, dolmen::index_t>(0, n),
                        [=](dolmen::index_t i, sum& running, bool last) {
                          running = static_cast<sum>(running + static_cast<sum>(in[i]));
                          if (last) out[i] = static_cast<T>(running);
                        });
}
template void kokkos_scan(float const*, float*, dolmen::index_t);
template void kokkos_scan(double const*, double*, dolmen::index_t);
template void kokkos_scan(dolmen::half const*, dolmen::half*, dolmen::index_t);
template void kokkos_scan(std::int32_t const*, std::int32_t*, dolmen::index_t);
template void kokkos_scan(std::uint8_t const*, std::uint8_t*, dolmen::index_t);

}  // namespace study::peers
