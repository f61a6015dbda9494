// softmax and log_softmax of every row.
#pragma once

#include "rows.hpp"

namespace dolmen {

namespace detail {

template <class In, class Out, stream_type Stream>
void softmax_rows(Stream const& stream, In const& in, Out& out, bool logarithm, char const* operation, source_location where) {
  using T = element_of<Out>;
  static_assert(float_element<T> && std::is_same_v<value_of<In const>, T>,
                "softmax: input and result are float, double, half or bfloat16, both the same");
  auto const source = as_view(in);
  auto const target = as_view(out);
  constexpr int rank = decltype(source)::rank;
  static_assert(rank == decltype(target)::rank, "softmax: input and result have different ranks");
  require_same_shape(source, target, operation, where);
  if (target.empty()) return;
  require_rows_apart(source, target, operation, where);
  with_host_memory(operation, where, [&] { launch_softmax(stream, plan_rows<T, rank>(source, target), logarithm, where); });
}

}  // namespace detail

/// out(.., i) = exp(in(.., i)) / sum over j of exp(in(.., j)): along the last dimension of views of any rank and strides.
/// `out` may be `in`. float, double, half (computed in float), bfloat16 (in float). The row's maximum is subtracted
/// first: a row with one finite value and -inf elsewhere gives 1 and 0s; a row of -inf, or with NaN or +inf, gives NaN.
/// A result errs by a few roundings, and by one more for every unit that its element lies below the row's maximum.
/// One read and one write of memory, for rows that the processor can hold (see docs/algorithms.md). Does not synchronise.
/// Throws invalid_argument that names the shapes if they differ, or if out overlaps in but is not in.
template <stream_type Stream, view_like In, view_like Out>
void softmax(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("softmax", where, stream, in, out);
  detail::softmax_rows(stream, in, out, false, "softmax", where);
}

/// out(.., i) = in(.., i) - log(sum over j of exp(in(.., j))), without the loss of log(softmax). All else as for softmax; -inf in
/// a row with finite values gives -inf.
template <stream_type Stream, view_like In, view_like Out>
void log_softmax(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("log_softmax", where, stream, in, out);
  detail::softmax_rows(stream, in, out, true, "log_softmax", where);
}

}  // namespace dolmen
