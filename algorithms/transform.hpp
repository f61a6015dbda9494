// transform: a function of each element, of one to three views.
#pragma once

#include "../core/overlap.hpp"
#include "element_types.hpp"

namespace dolmen {

namespace detail {

/// The space of several views of one shape, the output's strides first.
template <class Out, int Rank, class... Ins>
collapsed<1 + int(sizeof...(Ins))> collapse_all(view<Out, Rank> out, Ins const&... ins) {
  index_t strides[1 + sizeof...(Ins)][Rank];
  strides_of(out, strides[0]);
  int next = 0;
  (strides_of(ins, strides[++next]), ...);
  return collapse<1 + int(sizeof...(Ins))>(out.shape(), strides);
}

/// Checks that inputs have the output's shape, and are the output itself or apart from it.
template <class Out, int Rank, class... Ins>
void require_inputs(char const* operation, source_location where, view<Out, Rank> out, Ins const&... ins) {
  (require_same_shape(ins, out, operation, where), ...);
  (require_apart_or_same(ins, out, operation, where), ...);
}

template <class Stream, class F, class Out, int Rank, class... Ins>
void transform_views(Stream const& stream, source_location where, F const& f, view<Out, Rank> out, Ins const&... ins) {
  require_kernel_file<F>();
  static_assert(!std::is_const_v<Out>, "transform: the output's elements are constant");
  static_assert(((Ins::rank == Rank) && ...), "transform: inputs and output have different ranks");
  static_assert(DOLMEN_TRAVELS(F), "transform: the function's members must be trivially copyable, as it travels to the device");
  static_assert(DOLMEN_NO_REFERENCES(F));
  static_assert(std::is_invocable_v<F const&, typename Ins::value_type const&...>,
                "transform: the function takes one element of each input, and its call is const");
  require_inputs("transform", where, out, ins...);
  if (out.empty()) return;
  launch_transform(stream, "transform", collapse_all(out, ins...), f, where, out.data(),
                   static_cast<typename Ins::value_type const*>(ins.data())...);
}

}  // namespace detail

/// out(i) = f(in(i)) for every index: f is a function object with a const call operator, which is copied to the device and
/// called once per element, in no order; what it returns is converted to out's element. Any ranks and strides; element types
/// may differ. `out` may be an input itself (in place).
///
/// On a cuda::stream the calling file goes through nvcc, and f is a DOLMEN_LAMBDA or a struct whose call is DOLMEN_FN. On
/// the CPU an exception that f throws reaches the caller.
///
/// Throws invalid_argument that names both shapes if they differ, or if an input overlaps the output without being it. Views
/// of different strides overlap where the ranges from first to last element do. Does not synchronise.
template <stream_type Stream, view_like In, view_like Out, class F>
requires(!view_like<F const>) void transform(Stream const& stream, In const& in, Out&& out, F const& f,
                                             source_location where = source_location::current()) {
  detail::require_handles("transform", where, stream, in, out);
  detail::transform_views(stream, where, f, detail::as_view(out), detail::as_view(in));
}

/// out(i) = f(a(i), b(i)).
template <stream_type Stream, view_like A, view_like B, view_like Out, class F>
requires(!view_like<F const>) void transform(Stream const& stream, A const& a, B const& b, Out&& out, F const& f,
                                             source_location where = source_location::current()) {
  detail::require_handles("transform", where, stream, a, b, out);
  detail::transform_views(stream, where, f, detail::as_view(out), detail::as_view(a), detail::as_view(b));
}

/// out(i) = f(a(i), b(i), c(i)).
template <stream_type Stream, view_like A, view_like B, view_like C, view_like Out, class F>
requires(!view_like<F const>) void transform(Stream const& stream, A const& a, B const& b, C const& c, Out&& out, F const& f,
                                             source_location where = source_location::current()) {
  detail::require_handles("transform", where, stream, a, b, c, out);
  detail::transform_views(stream, where, f, detail::as_view(out), detail::as_view(a), detail::as_view(b), detail::as_view(c));
}

}  // namespace dolmen
