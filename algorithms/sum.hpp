// sum: all elements of a view added up.
#pragma once

#include "reduce.hpp"

namespace dolmen {

/// Writes the sum of all elements of `in` (any rank and strides) to `out`, a view of one element on the device. The type of
/// out says how it is added: int64 or uint64 for integers, float for half and bfloat16, float or double for float, double for
/// double. The sum of nothing is 0. Bit-identical from run to run on one backend. Does not synchronise. It is reduce by plus.
/// Throws invalid_argument unless out has one element.
template <stream_type Stream, view_like In, view_like Out>
void sum(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("sum", where, stream, in, out);
  using T = detail::value_of<In const>;
  using Sum = detail::element_of<Out>;
  static_assert(detail::own_reduction<plus, T> && detail::reduces_to<plus, T, Sum>,
                "sum: integers are summed into int64_t or uint64_t, half and bfloat16 into float, float into float or double, double "
                "into double");
  detail::reduce_into(stream, detail::own_reducer<plus, T, Sum>(), out, "sum", where, detail::as_view(in));
}

/// The sum as a host value, in sum_t<T> or the type asked for: sum<double>(stream, floats). Waits for the stream.
template <class Sum = void, stream_type Stream, view_like In>
auto sum(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("sum", where, stream, in);
  using result = std::conditional_t<std::is_void_v<Sum>, sum_t<detail::value_of<In const>>, Sum>;
  buffer<result, typename Stream::backend> out(stream, 1, memory::pooled, where);
  sum(stream, in, out, where);
  return download(stream, out, where)[0];
}

}  // namespace dolmen
