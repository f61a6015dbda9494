#pragma once

#include "../../algorithms/sort.hpp"
#include "copy.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where);
template <class T, class V>
void launch_sort_by_key(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where);

}  // namespace dolmen::cpu
