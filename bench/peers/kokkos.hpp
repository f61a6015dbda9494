// Kokkos as a peer, used as its own users use it. The other file that includes Kokkos.
#pragma once

#include <dolmen/dolmen.hpp>

namespace study::peers {

template <class T, class Sum>
void kokkos_sum(T const* in, Sum* out, dolmen::index_t n);
template <class T>
void kokkos_dot(T const* a, T const* b, T* out, dolmen::index_t n);

void kokkos_argmin(float const* in, dolmen::index_t* out, dolmen::index_t n);

// Streams by parallel_for.
void kokkos_fill(float* out, float value, dolmen::index_t n);
void kokkos_copy(float const* from, float* to, dolmen::index_t n);
void kokkos_relu(float const* in, float* out, dolmen::index_t n);
void kokkos_vector_add(float const* a, float const* b, float* c, dolmen::index_t n);
/// out = a b + c
void kokkos_multiply_add(float const* a, float const* b, float const* c, float* out, dolmen::index_t n);
template <class T>
void kokkos_triad(T scalar, T const* a, T const* b, T* c, dolmen::index_t n);
template <class T>
void kokkos_axpy(T alpha, T const* x, T* y, dolmen::index_t n);

}  // namespace study::peers
