// Kokkos as a peer, used as its own users use it. The other file that includes Kokkos.
#pragma once

#include <dolmen/dolmen.hpp>

namespace study::peers {

template <class T, class Sum>
void kokkos_sum(T const* in, Sum* out, dolmen::index_t n);
template <class T>
void kokkos_dot(T const* a, T const* b, T* out, dolmen::index_t n);

}  // namespace study::peers
