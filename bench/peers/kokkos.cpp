#include "kokkos.hpp"

#include <Kokkos_Core.hpp>

namespace study::peers {
namespace {

using dolmen::index_t;

auto whole_range(index_t n) {
  dolmen::cpu::workers();  // starts Kokkos, if nothing has
  return Kokkos::RangePolicy<Kokkos::OpenMP, Kokkos::IndexType<index_t>>(0, n);
}

}  // namespace

template <class T, class Sum>
void kokkos_sum(T const* in, Sum* out, index_t n) {
  Sum all = 0;
  Kokkos::parallel_reduce(
      "sum", whole_range(n), [=](index_t i, Sum& sum) { sum += Sum(in[i]); }, all);
  *out = all;
}
template void kokkos_sum(float const*, float*, index_t);
template void kokkos_sum(double const*, double*, index_t);
template void kokkos_sum(dolmen::half const*, float*, index_t);
template void kokkos_sum(std::int8_t const*, std::int64_t*, index_t);
template void kokkos_sum(std::int32_t const*, std::int64_t*, index_t);

template <class T>
void kokkos_dot(T const* a, T const* b, T* out, index_t n) {
  T all = 0;
  Kokkos::parallel_reduce(
      "dot", whole_range(n), [=](index_t i, T& sum) { sum += a[i] * b[i]; }, all);
  *out = all;
}
template void kokkos_dot(float const*, float const*, float*, index_t);
template void kokkos_dot(double const*, double const*, double*, index_t);

}  // namespace study::peers
