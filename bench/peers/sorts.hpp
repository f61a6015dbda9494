// Sorts of a CPU, on one thread.
#pragma once

#include <dolmen/core/types.hpp>

namespace study::peers {

/// By keys, from two arrays to one that holds the keys and then the values.
void stable_sort_pairs(std::int32_t const* keys, std::int32_t const* values, std::int32_t* out, dolmen::index_t n);

#if STUDY_HAS_HIGHWAY
/// Highway's vectorised quicksort, where the build found it.
template <class T>
void vqsort(T* keys, dolmen::index_t n);
#endif

}  // namespace study::peers
