// Reductions of what a function makes of the elements: transform_reduce, dot, and questions about the elements. See reduce.hpp
// for what holds for all.
#pragma once

#include <type_traits>

#include "reduce.hpp"

namespace dolmen {

namespace detail {

/// bool is tested as the byte that it is.
template <class T>
using tested_t = std::conditional_t<std::same_as<T, bool>, std::uint8_t, body_t<T>>;

template <class Result, class T>
auto nonzero(question what, index_t n) {
  static_assert(number_element<T> || std::same_as<T, bool>,
                "without a predicate the elements are bool, integers, float, double, half or bfloat16");
  return nonzero_reducer<tested_t<T>, Result>{what, n};
}

template <class T, class V, class Op, class Predicate>
auto by_predicate(V nothing, Predicate predicate) {
  return user_reducer<V, Op, holds<Predicate>, T>{nothing, {}, {predicate}};
}

template <class A, class B>
void require_dot(A const& a, B const& b, source_location where) {
  static_assert(std::same_as<value_of<A const>, value_of<B const>>, "dot: the two views have different element types");
  static_assert(number_element<value_of<A const>>, "dot: the elements are integers, float, double, half or bfloat16");
  static_assert(decltype(as_view(a))::rank == decltype(as_view(b))::rank, "dot: the two views have different ranks");
  require_same_shape(as_view(a), as_view(b), "dot", where);
}

template <class T, class Result>
auto dot_reducer_for() {
  static_assert(reduces_to<plus, T, Result>,
                "dot: integers are added in int64_t or uint64_t, half and bfloat16 in float, float in float or double, double in double");
  return dot_reducer<body_t<T>, body_t<Result>>{};
}

}  // namespace detail

// --- dot --------------------------------------------------------------------------------------------------------------

/// The sum of the products of corresponding elements. Types as for sum: products are made in the type in which they are added;
/// those of integers wrap. Throws invalid_argument that names both shapes if they differ.
template <stream_type Stream, view_like A, view_like B, view_like Out>
void dot(Stream const& stream, A const& a, B const& b, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("dot", where, stream, a, b, out);
  detail::require_dot(a, b, where);
  detail::reduce_into(stream, detail::dot_reducer_for<detail::value_of<A const>, detail::element_of<Out>>(), out, "dot", where,
                      detail::as_view(a), detail::as_view(b));
}
template <class Result = void, stream_type Stream, view_like A, view_like B>
auto dot(Stream const& stream, A const& a, B const& b, source_location where = source_location::current()) {
  detail::require_handles("dot", where, stream, a, b);
  using T = detail::value_of<A const>;
  using R = std::conditional_t<std::is_void_v<Result>, sum_t<T>, Result>;
  detail::require_dot(a, b, where);
  return detail::reduce_to_host<R>(stream, detail::dot_reducer_for<T, R>(), where, detail::as_view(a), detail::as_view(b));
}

// --- questions --------------------------------------------------------------------------------------------------------

/// How many elements are not 0 (NaN is not). out holds index_t.
template <stream_type Stream, view_like In, view_like Out>
void count_nonzero(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("count_nonzero", where, stream, in, out);
  static_assert(detail::holds_indices<Out>, "count_nonzero: the result view holds index_t");
  using T = detail::value_of<In const>;
  detail::reduce_into(stream, detail::nonzero<index_t, T>(detail::question::count, 0), out, "count_nonzero", where, detail::as_view(in));
}
template <stream_type Stream, view_like In>
index_t count_nonzero(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("count_nonzero", where, stream, in);
  using T = detail::value_of<In const>;
  return detail::reduce_to_host<index_t>(stream, detail::nonzero<index_t, T>(detail::question::count, 0), where, detail::as_view(in));
}

/// For how many elements predicate(element) holds. out holds index_t. On a cuda::stream this needs a kernel file.
template <stream_type Stream, view_like In, view_like Out, class Predicate>
void count_if(Stream const& stream, In const& in, Out&& out, Predicate predicate, source_location where = source_location::current()) {
  detail::require_handles("count_if", where, stream, in, out);
  static_assert(std::same_as<detail::element_of<Out>, index_t>, "count_if: the result view holds index_t");
  using T = detail::value_of<In const>;
  detail::reduce_into(stream, detail::by_predicate<T, index_t, plus>(0, predicate), out, "count_if", where, detail::as_view(in));
}
template <stream_type Stream, view_like In, class Predicate>
requires(!view_like<Predicate>) index_t
    count_if(Stream const& stream, In const& in, Predicate predicate, source_location where = source_location::current()) {
  detail::require_handles("count_if", where, stream, in);
  using T = detail::value_of<In const>;
  return detail::reduce_to_host<index_t>(stream, detail::by_predicate<T, index_t, plus>(0, predicate), where, detail::as_view(in));
}

/// Whether any element is not 0, or predicate(element) holds for any; false for nothing. All elements are read. out holds bool.
/// With a predicate, on a cuda::stream, this needs a kernel file.
template <stream_type Stream, view_like In, view_like Out>
void any_of(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("any_of", where, stream, in, out);
  static_assert(std::same_as<detail::element_of<Out>, bool>, "any_of: the result view holds bool");
  using T = detail::value_of<In const>;
  detail::reduce_into(stream, detail::nonzero<bool, T>(detail::question::any, 0), out, "any_of", where, detail::as_view(in));
}
template <stream_type Stream, view_like In>
bool any_of(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("any_of", where, stream, in);
  using T = detail::value_of<In const>;
  return detail::reduce_to_host<bool>(stream, detail::nonzero<bool, T>(detail::question::any, 0), where, detail::as_view(in));
}
template <stream_type Stream, view_like In, view_like Out, class Predicate>
requires detail::no_place<Predicate>
void any_of(Stream const& stream, In const& in, Out&& out, Predicate predicate, source_location where = source_location::current()) {
  detail::require_handles("any_of", where, stream, in, out);
  static_assert(std::same_as<detail::element_of<Out>, bool>, "any_of: the result view holds bool");
  using T = detail::value_of<In const>;
  detail::reduce_into(stream, detail::by_predicate<T, bool, detail::logical_or>(false, predicate), out, "any_of", where,
                      detail::as_view(in));
}
template <stream_type Stream, view_like In, class Predicate>
requires(!view_like<Predicate> && detail::no_place<Predicate>) bool any_of(Stream const& stream, In const& in, Predicate predicate,
                                                                           source_location where = source_location::current()) {
  detail::require_handles("any_of", where, stream, in);
  using T = detail::value_of<In const>;
  return detail::reduce_to_host<bool>(stream, detail::by_predicate<T, bool, detail::logical_or>(false, predicate), where,
                                      detail::as_view(in));
}

/// Whether all elements are not 0, or predicate(element) holds for all; true for nothing. out holds bool.
template <stream_type Stream, view_like In, view_like Out>
void all_of(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("all_of", where, stream, in, out);
  static_assert(std::same_as<detail::element_of<Out>, bool>, "all_of: the result view holds bool");
  using T = detail::value_of<In const>;
  auto const view = detail::as_view(in);
  detail::reduce_into(stream, detail::nonzero<bool, T>(detail::question::all, view.size()), out, "all_of", where, view);
}
template <stream_type Stream, view_like In>
bool all_of(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("all_of", where, stream, in);
  using T = detail::value_of<In const>;
  auto const view = detail::as_view(in);
  return detail::reduce_to_host<bool>(stream, detail::nonzero<bool, T>(detail::question::all, view.size()), where, view);
}
template <stream_type Stream, view_like In, view_like Out, class Predicate>
requires detail::no_place<Predicate>
void all_of(Stream const& stream, In const& in, Out&& out, Predicate predicate, source_location where = source_location::current()) {
  detail::require_handles("all_of", where, stream, in, out);
  static_assert(std::same_as<detail::element_of<Out>, bool>, "all_of: the result view holds bool");
  using T = detail::value_of<In const>;
  detail::reduce_into(stream, detail::by_predicate<T, bool, detail::logical_and>(true, predicate), out, "all_of", where,
                      detail::as_view(in));
}
template <stream_type Stream, view_like In, class Predicate>
requires(!view_like<Predicate> && detail::no_place<Predicate>) bool all_of(Stream const& stream, In const& in, Predicate predicate,
                                                                           source_location where = source_location::current()) {
  detail::require_handles("all_of", where, stream, in);
  using T = detail::value_of<In const>;
  return detail::reduce_to_host<bool>(stream, detail::by_predicate<T, bool, detail::logical_and>(true, predicate), where,
                                      detail::as_view(in));
}

// --- transform_reduce -------------------------------------------------------------------------------------------------

/// transform(element) of all elements, combined by op after `initial`, in the type V that reduce has for elements of the type of
/// the transformation's results: sums of ints, and of what a predicate answers, are in int64_t. out has that type. For operator and
/// initial value see reduce. On a cuda::stream this needs a kernel file.
template <stream_type Stream, view_like In, view_like Out, class Transform, class Op, detail::no_place Initial>
requires(std::invocable<Transform, detail::value_of<In const>>) void transform_reduce(Stream const& stream, In const& in, Out&& out,
                                                                                      Transform transform, Op op, Initial initial,
                                                                                      source_location where = source_location::current()) {
  detail::require_handles("transform_reduce", where, stream, in, out);
  using T = detail::value_of<In const>;
  using V = detail::started_t<Op, std::decay_t<std::invoke_result_t<Transform, T>>, Initial>;
  static_assert(std::same_as<V, detail::element_of<Out>>, "transform_reduce: the result view has another element type than the reduction");
  detail::reduce_into(stream,
                      detail::user_reducer<V, Op, Transform, T>{detail::started_with<V>(initial, "transform_reduce", where), op, transform},
                      out, "transform_reduce", where, detail::as_view(in));
}
template <stream_type Stream, view_like In, class Transform, class Op, detail::no_place Initial>
requires(!view_like<Transform> && !view_like<Op>) auto transform_reduce(Stream const& stream, In const& in, Transform transform, Op op,
                                                                        Initial initial,
                                                                        source_location where = source_location::current()) {
  detail::require_handles("transform_reduce", where, stream, in);
  using T = detail::value_of<In const>;
  using V = detail::started_t<Op, std::decay_t<std::invoke_result_t<Transform, T>>, Initial>;
  return detail::reduce_to_host<V>(
      stream, detail::user_reducer<V, Op, Transform, T>{detail::started_with<V>(initial, "transform_reduce", where), op, transform}, where,
      detail::as_view(in));
}

/// The same for transform(a, b) of the corresponding elements of two views. Throws invalid_argument that names both shapes if they
/// differ.
template <stream_type Stream, view_like A, view_like B, view_like Out, class Transform, class Op, detail::no_place Initial>
void transform_reduce(Stream const& stream, A const& a, B const& b, Out&& out, Transform transform, Op op, Initial initial,
                      source_location where = source_location::current()) {
  detail::require_handles("transform_reduce", where, stream, a, b, out);
  using T = detail::value_of<A const>;
  using U = detail::value_of<B const>;
  using V = detail::started_t<Op, std::decay_t<std::invoke_result_t<Transform, T, U>>, Initial>;
  static_assert(std::same_as<V, detail::element_of<Out>>, "transform_reduce: the result view has another element type than the reduction");
  detail::require_same_shape(detail::as_view(a), detail::as_view(b), "transform_reduce", where);
  detail::reduce_into(
      stream, detail::user_reducer<V, Op, Transform, T, U>{detail::started_with<V>(initial, "transform_reduce", where), op, transform}, out,
      "transform_reduce", where, detail::as_view(a), detail::as_view(b));
}
template <stream_type Stream, view_like A, view_like B, class Transform, class Op, detail::no_place Initial>
requires(std::invocable<Transform, detail::value_of<A const>, detail::value_of<B const>>) auto transform_reduce(
    Stream const& stream, A const& a, B const& b, Transform transform, Op op, Initial initial,
    source_location where = source_location::current()) {
  detail::require_handles("transform_reduce", where, stream, a, b);
  using T = detail::value_of<A const>;
  using U = detail::value_of<B const>;
  using V = detail::started_t<Op, std::decay_t<std::invoke_result_t<Transform, T, U>>, Initial>;
  detail::require_same_shape(detail::as_view(a), detail::as_view(b), "transform_reduce", where);
  return detail::reduce_to_host<V>(
      stream, detail::user_reducer<V, Op, Transform, T, U>{detail::started_with<V>(initial, "transform_reduce", where), op, transform},
      where, detail::as_view(a), detail::as_view(b));
}

}  // namespace dolmen
