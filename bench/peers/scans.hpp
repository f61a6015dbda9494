// Scans and selections for the CPU, as a program would write them without this library.
#pragma once

#include <dolmen/dolmen.hpp>

namespace study::peers {

#if DOLMEN_HAS_CPU
/// Inclusive sums by Kokkos::parallel_scan.
template <class T>
void kokkos_scan(T const* in, T* out, dolmen::index_t n);
/// Inclusive sums by OpenMP in two passes: sums of each thread's part, then `omp simd` with inscan.
template <class T>
void openmp_scan(T const* in, T* out, dolmen::index_t n);
/// The negative ones, in order, by OpenMP in two passes: counts of each thread's part, then its copies.
template <class T>
void openmp_select(T const* in, T* out, dolmen::index_t* count, dolmen::index_t n);
#else  // cases name them in branches that a build without the CPU never takes
template <class... In>
void kokkos_scan(In&&...);
template <class... In>
void openmp_scan(In&&...);
template <class... In>
void openmp_select(In&&...);
#endif

}  // namespace study::peers
