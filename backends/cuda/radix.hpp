// Radix sort by CUB, for the files that are not to know its headers.
#pragma once

#include <utility>

#include "stream.hpp"

namespace dolmen::cuda::impl {

/// Sorts n unsigned integers in ascending order, with `other` as room for as many; returns which of the two holds the
/// result.
template <class Word>
Word* radix_sort(stream const& s, Word* keys, Word* other, index_t n, source_location where);

/// The same, stable, with something to go with every key; both results.
template <class Word, class Payload>
std::pair<Word*, Payload*> radix_sort_pairs(stream const& s, Word* keys, Word* other, Payload* payload, Payload* other_payload, index_t n,
                                            source_location where);

}  // namespace dolmen::cuda::impl
