// What the bodies of sort and sort_by_key put in order: signed integers, which stand for keys, or for ranks with indices.
#pragma once

#include "memory.hpp"

namespace dolmen::cpu {

/// A key's rank and its index, where one integer does not hold both.
struct ranked {
  std::int64_t rank, index;
  friend bool operator<(ranked const& a, ranked const& b) { return a.rank < b.rank || (a.rank == b.rank && a.index < b.index); }
};

/// Bytes of an element's key that decide its order, counted from the lowest: elements that differ elsewhere only, or nowhere,
/// are in order before.
struct digit_range {
  int first, last;
};

/// Sorts in ascending order. E is std::int16_t, std::int32_t, std::int64_t or ranked. Takes temporary memory from the stream's
/// pool: at most that of the elements and a byte for each.
template <class E>
void sort_elements(stream const& s, E* data, index_t n, digit_range digits, source_location where);

/// The same for all digits of std::int8_t or std::int16_t, of which there are many: by counting.
template <class E>
void sort_by_counting(stream const& s, E* data, index_t n, source_location where);

}  // namespace dolmen::cpu
