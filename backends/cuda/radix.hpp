// Radix sort by CUB, for the files that are not to know its headers.
#pragma once

#include <utility>

#include "stream.hpp"

namespace dolmen::cuda::impl {

/// Sorts n numbers in the order of sort, with `other` as memory for as many; returns which of the two holds the result. Stable:
/// floats that are equal to the sort, zeros and NaNs, keep their order.
template <class T>
T* radix_sort(stream const& s, T* keys, T* other, index_t n, bool descending, source_location where);

/// The same with something to go with every key; both results. T is unsigned with 8 or 16 bits, or has 32 or 64 bits; Payload is
/// std::uint32_t or std::uint64_t.
template <class T, class Payload>
std::pair<T*, Payload*> radix_sort_pairs(stream const& s, T* keys, T* other, Payload* payload, Payload* other_payload, index_t n,
                                         bool descending, source_location where);

}  // namespace dolmen::cuda::impl
