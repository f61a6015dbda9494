// CUB as a peer, in builds with CUDA. Its sum is peers::sum.
#pragma once

#include <dolmen/dolmen.hpp>

namespace study::peers {

#if DOLMEN_HAS_CUDA
/// Counts of bytes, from zero on.
void cub_histogram(dolmen::cuda::stream const& s, std::uint8_t const* keys, std::uint32_t* counts, dolmen::index_t n);
/// Inclusive sums.
template <class T>
void cub_scan(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t n);
/// The negative ones, in order, and how many they are.
template <class T>
void cub_select(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t* count, dolmen::index_t n);
/// In ascending order.
template <class T>
void cub_sort(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t n);
/// The same with a copy first, which is sorted in place.
template <class T>
void cub_sort_in_place(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t n);
void cub_sort_pairs_in_place(dolmen::cuda::stream const& s, std::int32_t* keys, std::int32_t* values, dolmen::index_t n);
#endif

}  // namespace study::peers
