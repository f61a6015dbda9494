// Whether views share elements: asked before an operation reads one and writes another. docs/algorithms.md has the rule for each.
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
bool share_elements(strided<T> const& a, strided<U> const& b) {
  auto const [a_begin, a_end] = range(a);
  auto const [b_begin, b_end] = range(b);
  if (a.size() == 0 || b.size() == 0 || a_end <= b_begin || b_end <= a_begin) return false;
  if (a.extent[0] * a.extent[1] > b.extent[0] * b.extent[1]) return share_elements(b, a);
  index_t const first = a_begin - b_begin;
  for (index_t plane = 0; plane < a.extent[0]; ++plane)
    for (index_t row = 0; row < a.extent[1]; ++row) {
      index_t const low = first + a.offset(plane, row) * index_t(sizeof(T));
      if (meets(b, low, low + a.extent[2] * index_t(sizeof(T)))) return true;
    }
  return false;
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

/// Whether the addresses that two views span do not meet: quickly said, and what nearly all calls find.
template <class A, class B, int RankA, int RankB>
bool far_apart(view<A, RankA> const& a, view<B, RankB> const& b) {
  auto const end = [](auto const& v) {
    index_t last = v.extent(std::remove_cvref_t<decltype(v)>::rank - 1) - 1;
    for (int d = 0; d + 1 < std::remove_cvref_t<decltype(v)>::rank; ++d) last += (v.extent(d) - 1) * v.stride(d);
    return reinterpret_cast<std::uintptr_t>(v.data() + last + 1);
  };
  if (a.empty() || b.empty()) return true;
  return end(a) <= reinterpret_cast<std::uintptr_t>(b.data()) || end(b) <= reinterpret_cast<std::uintptr_t>(a.data());
}

/// Throws unless `in` is `out` itself, element for element, or shares no memory with it.
template <class In, class Out, int Rank>
void require_apart_or_same(view<In, Rank> in, view<Out, Rank> out, char const* operation, source_location where) {
  if (far_apart(in, out)) [[likely]]
    return;
  auto const a = flat(in);
  auto const b = flat(out);
  bool const itself = std::is_same_v<std::remove_const_t<In>, std::remove_const_t<Out>> && same_elements(a, b);
  require(itself || !share_elements(a, b), where, operation, ": an input of shape ", in.shape(),
          " overlaps the output; it must be the output itself, or lie apart from it");
}

/// Throws if the output shares memory with an input.
template <class In, class Out, int RankIn, int RankOut>
void require_output_apart(view<In, RankIn> in, view<Out, RankOut> out, char const* operation, source_location where) {
  if (far_apart(in, out)) [[likely]]
    return;
  require(!share_elements(flat(in), flat(out)), where, operation, ": the output of shape ", out.shape(), " overlaps an input of shape ",
          in.shape(), "; it must lie apart from it");
}

/// Throws if the two share memory.
template <class A, class B, int RankA, int RankB>
void require_apart(view<A, RankA> a, view<B, RankB> b, char const* operation, source_location where) {
  if (far_apart(a, b)) [[likely]]
    return;
  require(!share_elements(flat(a), flat(b)), where, operation, ": two of the views, of shapes ", a.shape(), " and ", b.shape(),
          ", overlap");
}

}  // namespace dolmen::detail
