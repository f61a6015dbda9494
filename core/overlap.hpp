// Whether two views share an element: what an algorithm that cannot work in place has to refuse.
#pragma once

#include "layout.hpp"

namespace dolmen::detail {

/// Whether the bytes [low, high), counted from s.data, meet a row of `s`.
template <class T>
bool meets(strided<T> const& s, index_t low, index_t high) {
  constexpr index_t width = sizeof(T);
  for (int d = 0; d < 2; ++d) {
    // The first plane (row) that starts at low or behind; if that is not before high, only the one in front can be met.
    index_t const step = s.stride[d] * width;
    index_t const next = low <= 0 ? 0 : s.extent[d] == 1 ? 1 : ceil_div(low, step);
    if (next < s.extent[d] && next * step < high) return true;
    if (low < 0) return false;
    index_t const inside = (min(next, s.extent[d]) - 1) * step;
    low -= inside;
    high -= inside;
  }
  return low < s.extent[2] * width;
}

/// Exact, also for views that interleave. Takes time for every row, but only where the address ranges meet at all.
template <class T, class U>
bool overlap(strided<T> const& a, strided<U> const& b) {
  auto const [a_begin, a_end] = range(a);
  auto const [b_begin, b_end] = range(b);
  if (a.size() == 0 || b.size() == 0 || a_end <= b_begin || b_end <= a_begin) return false;
  if (a.extent[0] * a.extent[1] > b.extent[0] * b.extent[1]) return overlap(b, a);
  index_t const first = a_begin - b_begin;
  for (index_t plane = 0; plane < a.extent[0]; ++plane)
    for (index_t row = 0; row < a.extent[1]; ++row) {
      index_t const low = first + a.offset(plane, row) * index_t(sizeof(T));
      if (meets(b, low, low + a.extent[2] * index_t(sizeof(T)))) return true;
    }
  return false;
}

}  // namespace dolmen::detail
