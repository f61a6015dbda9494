// Whether two views share elements: for algorithms that work in place or on views apart, and on nothing between.
#pragma once

#include "../core/layout.hpp"

namespace dolmen::detail {

/// True if some byte belongs to both. Exact for dense views and for views whose rows have the same stride (column ranges
/// of one matrix); elsewhere true wherever one lies between first and last element of the other.
template <class T, class U>
bool share_elements(strided<T> const& a, strided<U> const& b) {
  auto const [a_begin, a_end] = range(a);
  auto const [b_begin, b_end] = range(b);
  if (a_begin == nullptr || b_begin == nullptr || a_end <= b_begin || b_end <= a_begin) return false;
  index_t const step = a.stride[1] * index_t(sizeof(T));
  bool const same_step = step > 0 && a.extent[1] > 1 && b.extent[1] > 1 && step == b.stride[1] * index_t(sizeof(U)) &&
                         (a.extent[0] == 1 || a.stride[0] % a.stride[1] == 0) && (b.extent[0] == 1 || b.stride[0] % b.stride[1] == 0);
  if (!same_step) return true;
  // Where b's rows begin, seen from the begin of a's row before it.
  index_t const shift = ((b_begin - a_begin) % step + step) % step;
  return shift < a.extent[2] * index_t(sizeof(T)) || shift + b.extent[2] * index_t(sizeof(U)) > step;
}

/// True if both are the same elements in the same order, of one size.
template <class T, class U>
bool same_elements(strided<T> const& a, strided<U> const& b) {
  if (static_cast<void const*>(a.data) != static_cast<void const*>(b.data) || sizeof(T) != sizeof(U)) return false;
  bool same = true;
  for (int d = 0; d < 3; ++d) same = same && a.extent[d] == b.extent[d];
  for (int d = 0; d < 2; ++d) same = same && (a.extent[d] == 1 || a.stride[d] == b.stride[d]);
  return same;
}

}  // namespace dolmen::detail
