// sum: all elements of a view added up.
#pragma once

#include "copy.hpp"
#include "element_types.hpp"

namespace dolmen {

namespace detail {

/// Chunks that are summed apart, and their sums in a fixed order: a matter of n alone, so that results do not depend on
/// threads or devices at hand.
struct sum_plan {
  index_t n, chunk, chunks;
};

inline sum_plan plan_sum(index_t n) {
  constexpr index_t smallest = 8192, most_chunks = 2048;
  index_t const chunk = max(smallest, ceil_div(ceil_div(n, most_chunks), index_t(1024)) * 1024);
  return {n, chunk, max(index_t(1), ceil_div(n, chunk))};
}

template <class T>
struct sum_type {
  using type = T;
};
template <std::signed_integral T>
struct sum_type<T> {
  using type = std::int64_t;
};
template <std::unsigned_integral T>
struct sum_type<T> {
  using type = std::uint64_t;
};

/// Addition that wraps for integers.
template <class Sum>
DOLMEN_FN constexpr Sum add(Sum a, Sum b) {
  if constexpr (std::is_integral_v<Sum>)
    return Sum(std::uint64_t(a) + std::uint64_t(b));
  else
    return a + b;
}

/// What bodies exist for: every integer in 64 bits; float in float or double; double.
template <class T, class Sum>
concept summable = (std::integral<T> && !std::same_as<T, bool> && std::same_as<Sum, typename sum_type<T>::type>) ||
                   (std::same_as<T, float> && (std::same_as<Sum, float> || std::same_as<Sum, double>)) ||
                   (std::same_as<T, double> && std::same_as<Sum, double>);

}  // namespace detail

/// The type in which elements of type T are added unless another is asked for: 64 bits for integers.
template <class T>
using sum_t = typename detail::sum_type<std::remove_const_t<T>>::type;

/// Writes the sum of all elements of `in` (any rank and strides) to `out`, a view of one element on the device. The type of
/// out says how it is added: int64 or uint64 for integers, float or double for float, double for double. The sum of nothing
/// is 0. Bit-identical from run to run on one backend. Does not synchronise.
/// Throws invalid_argument unless out has one element.
template <stream_type Stream, view_like In, view_like Out>
void sum(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  using T = detail::value_of<In const>;
  using Sum = detail::element_of<Out>;
  static_assert(detail::summable<T, Sum>,
                "sum: integers are summed into int64_t or uint64_t, float into float or double, double into double");
  auto const source = detail::as_view(in);
  auto const target = detail::as_view(out);
  detail::require(target.size() == 1, where, "sum: the result view must hold one element, it is ", target.shape());
  auto const plan = detail::plan_sum(source.size());
  buffer<Sum, typename Stream::backend> partial(stream, plan.chunks, memory::pooled, where);
  launch_sum(stream, plan, detail::as_body(detail::flat(view<T const, decltype(source)::rank>(source))), partial.data(), target.data(),
             where);
}

/// The sum as a host value, in sum_t<T> or the type asked for: sum<double>(stream, floats). Waits for the stream.
template <class Sum = void, stream_type Stream, view_like In>
auto sum(Stream const& stream, In const& in, source_location where = source_location::current()) {
  using result = std::conditional_t<std::is_void_v<Sum>, sum_t<detail::value_of<In const>>, Sum>;
  buffer<result, typename Stream::backend> out(stream, 1, memory::pooled, where);
  sum(stream, in, out, where);
  return download(stream, out, where)[0];
}

}  // namespace dolmen
