// strided<T>: any view as one plain descriptor, so that algorithm bodies are instantiated by element type only.
#pragma once

#include "buffer.hpp"

namespace dolmen::detail {

/// Rows of contiguous elements at two strides. Dense data always comes as one row: extent[0] == extent[1] == 1.
template <class T>
struct strided {
  T* data;
  index_t extent[3];  // planes, rows, columns
  index_t stride[2];  // from plane to plane, from row to row, in elements

  constexpr index_t size() const { return extent[0] * extent[1] * extent[2]; }
  constexpr bool contiguous() const { return extent[0] == 1 && extent[1] == 1; }
  constexpr index_t offset(index_t plane, index_t row) const { return plane * stride[0] + row * stride[1]; }
};

/// The space of a view, or of several views of one shape, with every dimension that can be joined joined.
template <int Views>
struct collapsed {
  index_t extent[3] = {1, 1, 1};  // planes, rows, columns
  index_t stride[Views][2] = {};  // per view, in elements; columns are contiguous in all of them
  constexpr index_t size() const { return extent[0] * extent[1] * extent[2]; }
  constexpr bool one_row() const { return extent[0] == 1 && extent[1] == 1; }
};

/// Drops extents of one and joins dimensions that follow each other without a gap in every view.
template <int Views, int Rank>
collapsed<Views> collapse(extents<Rank> const& shape, index_t const (&strides)[Views][Rank]) {
  collapsed<Views> c;
  if (shape.volume() == 0) {
    c.extent[2] = 0;
    return c;
  }
  int filled = 2;  // the dimension being built; the innermost has stride 1
  index_t step[Views];
  for (auto& s : step) s = 1;
  for (int d = Rank - 1; d >= 0; --d) {
    if (shape[d] == 1) continue;
    bool continues = true;
    for (int v = 0; v < Views; ++v) continues = continues && strides[v][d] == step[v] * c.extent[filled];
    if (!continues) {
      --filled;
      for (int v = 0; v < Views; ++v) c.stride[v][filled] = step[v] = strides[v][d];
    }
    c.extent[filled] *= shape[d];
  }
  return c;
}

/// The strides of a view, all Rank of them.
template <class T, int Rank>
void strides_of(view<T, Rank> v, index_t (&strides)[Rank]) {
  for (int d = 0; d < Rank; ++d) strides[d] = v.stride(d);
}

/// One view as a plain descriptor.
template <class T, int Rank>
strided<T> flat(view<T, Rank> v) {
  index_t strides[1][Rank];
  strides_of(v, strides[0]);
  auto const c = collapse<1>(v.shape(), strides);
  return {v.data(), {c.extent[0], c.extent[1], c.extent[2]}, {c.stride[0][0], c.stride[0][1]}};
}

/// First and one-past-last element address that a descriptor touches.
template <class T>
std::pair<char const*, char const*> range(strided<T> const& s) {
  if (s.size() == 0) return {nullptr, nullptr};
  T const* last = s.data + s.offset(s.extent[0] - 1, s.extent[1] - 1) + s.extent[2];
  return {reinterpret_cast<char const*>(s.data), reinterpret_cast<char const*>(last)};
}

/// Whether elements of T at an address may be moved as a Word each. Records may lie at any multiple of their own alignment, which
/// can be less than their size.
template <class Word, class T>
bool aligned_for(T const* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(Word) == 0;
}

template <class V>
using element_of = typename decltype(as_view(std::declval<V&>()))::element;
template <class V>
using value_of = std::remove_const_t<element_of<V>>;

/// Throws unless both have the same extents; the text names both.
template <class T, int RankT, class U, int RankU>
void require_same_shape(view<T, RankT> a, view<U, RankU> b, char const* operation, source_location where) {
  bool same = RankT == RankU;
  if constexpr (RankT == RankU)
    for (int d = 0; d < RankT; ++d) same = same && a.extent(d) == b.extent(d);
  require(same, where, operation, ": the shapes ", a.shape(), " and ", b.shape(), " differ");
}

}  // namespace dolmen::detail
