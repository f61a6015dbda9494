// Whether views share memory: asked before an operation reads one and writes another.
#pragma once

#include "layout.hpp"

namespace dolmen::detail {

enum class overlap { none, same, partial };

// True if `bytes`, the distance between the first elements of two boxes of one shape and the same strides, can be stepped
// from an element of the one to one of the other. A stride is no smaller than what it steps over, so that of each two
// multiples are candidates.
template <int Rank>
bool boxes_meet(extents<Rank> const& shape, index_t const (&strides)[Rank], index_t width, index_t bytes, int d = 0) {
  if (d == Rank) return bytes < width && bytes > -width;
  if (shape[d] == 1) return boxes_meet(shape, strides, width, bytes, d + 1);
  index_t const step = strides[d] * width;
  index_t const below = bytes / step - (bytes % step < 0 ? 1 : 0);
  for (index_t steps : {below, below + 1})
    if (steps < shape[d] && steps > -shape[d] && boxes_meet(shape, strides, width, bytes - steps * step, d + 1)) return true;
  return false;
}

/// Of views of one shape. `same`: element for element, and of one type. Rows that interleave (two halves of a matrix) are
/// told apart if both views have the same element size and strides; otherwise they count as partial.
template <class A, class B, int Rank>
overlap overlap_of(view<A, Rank> a, view<B, Rank> b) {
  if (a.empty()) return overlap::none;
  auto const [a_begin, a_end] = range(flat(a));
  auto const [b_begin, b_end] = range(flat(b));
  if (a_begin >= b_end || b_begin >= a_end) return overlap::none;
  bool same_strides = sizeof(A) == sizeof(B);
  for (int d = 0; d < Rank; ++d) same_strides = same_strides && (a.extent(d) == 1 || a.stride(d) == b.stride(d));
  if (!same_strides) return overlap::partial;
  if (a_begin == b_begin) return std::is_same_v<std::remove_const_t<A>, std::remove_const_t<B>> ? overlap::same : overlap::partial;
  index_t strides[Rank];
  strides_of(a, strides);
  return boxes_meet(a.shape(), strides, index_t(sizeof(A)), b_begin - a_begin) ? overlap::partial : overlap::none;
}

/// Throws unless `in` is `out` itself, element for element, or shares no memory with it.
template <class In, class Out, int Rank>
void require_apart_or_same(view<In, Rank> in, view<Out, Rank> out, char const* operation, source_location where) {
  require(overlap_of(in, out) != overlap::partial, where, operation, ": an input of shape ", in.shape(),
          " overlaps the output; it must be the output itself, or lie apart from it");
}

/// Throws if the two share memory.
template <class A, class B, int Rank>
void require_apart(view<A, Rank> a, view<B, Rank> b, char const* operation, source_location where) {
  require(overlap_of(a, b) == overlap::none, where, operation, ": two of the views, both of shape ", a.shape(), ", overlap");
}

}  // namespace dolmen::detail
