#include "kokkos.hpp"

#include <Kokkos_Core.hpp>

namespace study::peers {
namespace {

using dolmen::index_t;

auto whole_range(index_t n) {
  static int const started [[maybe_unused]] = dolmen::cpu::workers();  // which starts Kokkos, if nothing has
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

void kokkos_argmin(float const* in, index_t* out, index_t n) {
  using least = Kokkos::MinLoc<float, index_t, Kokkos::HostSpace>;
  least::value_type found;
  Kokkos::parallel_reduce(
      "argmin", whole_range(n),
      [=](index_t i, least::value_type& best) {
        if (in[i] < best.val) best.val = in[i], best.loc = i;
      },
      least(found));
  *out = found.loc;
}

void kokkos_fill(float* out, float value, index_t n) {
  Kokkos::parallel_for("fill", whole_range(n), [=](index_t i) { out[i] = value; });
}
void kokkos_copy(float const* from, float* to, index_t n) {
  Kokkos::parallel_for("copy", whole_range(n), [=](index_t i) { to[i] = from[i]; });
}
void kokkos_relu(float const* in, float* out, index_t n) {
  Kokkos::parallel_for("relu", whole_range(n), [=](index_t i) { out[i] = in[i] < 0.0f ? 0.0f : in[i]; });
}
void kokkos_vector_add(float const* a, float const* b, float* c, index_t n) {
  Kokkos::parallel_for("add", whole_range(n), [=](index_t i) { c[i] = a[i] + b[i]; });
}
void kokkos_multiply_add(float const* a, float const* b, float const* c, float* out, index_t n) {
  Kokkos::parallel_for("multiply_add", whole_range(n), [=](index_t i) { out[i] = a[i] * b[i] + c[i]; });
}

template <class T>
void kokkos_triad(T scalar, T const* a, T const* b, T* c, index_t n) {
  Kokkos::parallel_for("triad", whole_range(n), [=](index_t i) { c[i] = a[i] + scalar * b[i]; });
}
template void kokkos_triad(float, float const*, float const*, float*, index_t);
template void kokkos_triad(double, double const*, double const*, double*, index_t);

template <class T>
void kokkos_axpy(T alpha, T const* x, T* y, index_t n) {
  Kokkos::parallel_for("axpy", whole_range(n), [=](index_t i) { y[i] += alpha * x[i]; });
}
template void kokkos_axpy(float, float const*, float*, index_t);
template void kokkos_axpy(double, double const*, double*, index_t);

}  // namespace study::peers
