// Reductions of all elements of a view: by plus, multiplies, minimum, maximum, or by an operator of the user's; the number of
// elements with a property; the places of extremes; inner products.
//
// For all of them: views and buffers of any rank and strides, sizes beyond 2^32. A version with `out` writes the result into
// a view of one element on the device and does not synchronise; one without returns it to the host and waits for the
// stream. Results are bit-identical from run to run on one backend, on the CPU whatever the number of threads.
// Throws invalid_argument unless out has one element, which must not be one of the input's.
//
// Order: elements are in row-major order. They are combined by a tree whose shape depends on the shape of the view and the
// device (on the CPU on the shape alone), so that an operator has to be associative. One that is not commutative sees
// neighbours in their order; one that says it is (operators.hpp) may see them in any order, which is faster.
#pragma once

#include "../core/overlap.hpp"
#include "copy.hpp"
#include "reducers.hpp"

namespace dolmen {

/// The type in which elements of type T are added or multiplied unless another is asked for: 64 bits for integers, float for
/// half and bfloat16, else T.
template <class T>
using sum_t = typename detail::sum_type<std::remove_const_t<T>>::type;

namespace detail {

template <class Op>
inline constexpr bool is_sum_or_product = std::same_as<Op, plus> || std::same_as<Op, multiplies>;
template <class Op>
inline constexpr bool is_extreme = std::same_as<Op, minimum> || std::same_as<Op, maximum>;

/// What the library's own bodies offer.
template <class Op, class T>
concept own_reduction = number_element<T> &&(is_sum_or_product<Op> || is_extreme<Op>);

/// What `op` makes of elements of type T unless another type is asked for.
template <class Op, class T>
struct reduced {
  using type = T;
};
template <class Op, class T>
requires is_sum_or_product<Op>
struct reduced<Op, T> {
  using type = sum_t<T>;
};
template <class Op, class T>
using reduced_t = typename reduced<Op, T>::type;

/// The results for which there are bodies.
template <class Op, class T, class Result>
inline constexpr bool reduces_to = std::same_as<Result, reduced_t<Op, T>> ||
                                   (is_sum_or_product<Op> && std::same_as<T, float> && std::same_as<Result, double>) ||
                                   (integer_element<T> && std::integral<Result> && std::same_as<body_t<Result>, body_t<reduced_t<Op, T>>>);

/// The type of a reduction by `op` that starts with an Initial: sums and products are wide, also those of bool.
template <class Op, class T, class Initial>
using started_t =
    joint_t<typename std::conditional_t<is_sum_or_product<Op> && number<T>, sum_type<T>, std::type_identity<T>>::type, Initial>;

template <class Op, class T, class Result>
auto own_reducer(Result const* initial = nullptr) {
  using body = body_t<T>;
  using value = std::conditional_t<is_extreme<Op>, exact_t<body>, body_t<Result>>;
  op_reducer<body, value, Op, body_t<Result>> r;
  if (initial) r.initial = static_cast<value>(*initial);
  return r;
}

/// One view as runs of the element type that the reducer knows.
template <class A, class T, int Rank>
strided_runs<A> rows_of(view<T, Rank> v) {
  auto const s = flat(v);
  return {{reinterpret_cast<A const*>(s.data), nullptr}, {s.extent[0], s.extent[1], s.extent[2]}, {s.stride[0], s.stride[1]}, {}};
}
template <class A, class B, class T, class U, int Rank>
strided_runs<A, B> rows_of(view<T, Rank> v, view<U, Rank> w) {
  index_t strides[2][Rank];
  strides_of(v, strides[0]);
  strides_of(w, strides[1]);
  auto const c = collapse<2>(v.shape(), strides);
  return {{reinterpret_cast<A const*>(v.data()), reinterpret_cast<B const*>(w.data())},
          {c.extent[0], c.extent[1], c.extent[2]},
          {c.stride[0][0], c.stride[0][1]},
          {c.stride[1][0], c.stride[1][1]}};
}

template <class Out>
auto one_element(Out&& out, char const* operation, source_location where) {
  static_assert(!std::is_const_v<element_of<Out>>, "the result view is of constant elements");
  auto const target = as_view(out);
  require(target.size() == 1, where, operation, ": the result view must hold one element, it is ", target.shape());
  return target;
}

template <class R, class Stream, class... In>
void reduce_views(Stream const& stream, R const& reducer, typename R::result* out, source_location where, In const&... in) {
  using A = typename R::first;
  using B = typename R::second;
  auto const rows = [&] {
    if constexpr (sizeof...(In) == 1)
      return rows_of<A>(in...);
    else
      return rows_of<A, B>(in...);
  }();
  if constexpr (R::built_in) {
    launch_reduce(stream, reducer, rows, out, where);
  } else {
    require_kernel_file<R>();
    launch_reduce_by(stream, reducer, rows, out, where);
  }
}

/// The library's own reducers write integers under the names that bodies know.
template <class R, class Stream, class Out, class... In>
void reduce_into(Stream const& stream, R const& reducer, Out&& out, char const* operation, source_location where, In const&... in) {
  auto const target = one_element(out, operation, where);
  (require_output_apart(in, target, operation, where), ...);
  static_assert(sizeof(element_of<Out>) == sizeof(typename R::result));
  reduce_views(stream, reducer, reinterpret_cast<typename R::result*>(target.data()), where, in...);
}

template <class Result, class R, class Stream, class... In>
Result reduce_to_host(Stream const& stream, R const& reducer, source_location where, In const&... in) {
  static_assert(sizeof(Result) == sizeof(typename R::result));
  buffer<std::conditional_t<std::same_as<Result, bool>, std::uint8_t, Result>, typename Stream::backend> out(stream, 1, memory::pooled,
                                                                                                             where);
  reduce_views(stream, reducer, reinterpret_cast<typename R::result*>(out.data()), where, in...);
  return static_cast<Result>(download(stream, out, where)[0]);
}

template <class V, class Op, class Transform, class A>
auto by_user(V initial, Op op, Transform transform) {
  return user_reducer<V, Op, Transform, A>{initial, op, transform};
}

/// A reduction of the library's own to the host, in R, which has no body: it is wider than the elements for the initial value's
/// sake, and that is combined here with what the body makes of the elements.
template <class Op, class R, class Stream, class View>
R reduce_and_combine(Stream const& stream, View const& in, R start, source_location where) {
  using T = std::remove_const_t<typename View::element>;
  using V = reduced_t<Op, T>;
  if (in.empty()) return start;
  V const rest = reduce_to_host<V>(stream, own_reducer<Op, T, V>(), where, in);
  return op_reducer<R, R, Op>::template combine<R>(start, static_cast<R>(rest));
}

template <class Op, class T, class Result>
constexpr void require_own() {
  static_assert(own_reduction<Op, T>,
                "reduce: without an initial value there are plus, multiplies, minimum and maximum of integers, float, double, half and "
                "bfloat16; give your own operator or element type an initial value");
  static_assert(reduces_to<Op, T, Result>,
                "reduce: the result of minimum and maximum has the elements' type; integers are summed and multiplied into int64_t or "
                "uint64_t, half and bfloat16 into float, float into float or double, double into double");
}

template <class T>
concept no_place = !std::same_as<T, source_location>;

}  // namespace detail

// --- reduce -----------------------------------------------------------------------------------------------------------

/// All elements combined by plus, multiplies, minimum or maximum. Sums and products of integers are in 64 bits and wrap, those
/// of half and bfloat16 in float; out may be double for float. Minimum and maximum are NaN where an element is NaN, and
/// -0.0 is less than 0.0. Of nothing: 0, 1, +infinity or the largest number, -infinity or the smallest.
/// Accuracy of float sums: on the CPU chains of at most 32, then a tree; on a GPU chains of n / 10^6, then a tree.
template <stream_type Stream, view_like In, view_like Out, class Op = plus>
void reduce(Stream const& stream, In const& in, Out&& out, Op = {}, source_location where = source_location::current()) {
  detail::require_handles("reduce", where, stream, in, out);
  using T = detail::value_of<In const>;
  using Result = detail::element_of<Out>;
  detail::require_own<Op, T, Result>();
  detail::reduce_into(stream, detail::own_reducer<Op, T, Result>(), out, "reduce", where, detail::as_view(in));
}

/// With an initial value, which is combined with the others as if it stood before them: the result of nothing. The operator
/// may be any function object V(V, V) that is associative; it is called on elements and the initial value alone. V is the type of
/// elements and initial value together, for plus and multiplies widened as above: of two integer types or two floating-point ones
/// that which holds all values of the other; the elements' for floating-point elements and an integer; double for integers and a
/// floating-point number (float if it holds them all). For plus and multiplies of bool it is int64_t.
/// `out` has the type V, or for the four operators one as above. Throws invalid_argument for an initial value that the result's type
/// does not have: -1 for unsigned elements, 300 for a result in uint8_t, 0.1 for one in float.
/// On a cuda::stream another operator than the four, or elements that are no numbers, need a kernel file.
template <stream_type Stream, view_like In, view_like Out, class Op, detail::no_place Initial>
void reduce(Stream const& stream, In const& in, Out&& out, Op op, Initial initial, source_location where = source_location::current()) {
  detail::require_handles("reduce", where, stream, in, out);
  using T = detail::value_of<In const>;
  using Result = detail::element_of<Out>;
  if constexpr (detail::own_reduction<Op, T>) {
    detail::require_own<Op, T, Result>();
    auto const start = detail::started_with<Result>(initial, "reduce", where);
    detail::reduce_into(stream, detail::own_reducer<Op, T>(&start), out, "reduce", where, detail::as_view(in));
  } else {
    using V = detail::started_t<Op, T, Initial>;
    static_assert(std::same_as<V, Result>,
                  "reduce: the result view has another element type than elements and initial value have in common");
    auto const start = detail::started_with<V>(initial, "reduce", where);
    detail::reduce_into(stream, detail::by_user<V, Op, detail::no_transform, T>(start, op, {}), out, "reduce", where, detail::as_view(in));
  }
}

/// The same as a host value; reduce<double>(stream, floats) adds in double.
template <class Result = void, stream_type Stream, view_like In, class Op = plus>
requires(!view_like<Op>) auto reduce(Stream const& stream, In const& in, Op = {}, source_location where = source_location::current()) {
  detail::require_handles("reduce", where, stream, in);
  using T = detail::value_of<In const>;
  using R = std::conditional_t<std::is_void_v<Result>, detail::reduced_t<Op, T>, Result>;
  detail::require_own<Op, T, R>();
  return detail::reduce_to_host<R>(stream, detail::own_reducer<Op, T, R>(), where, detail::as_view(in));
}

/// With an initial value, in V, also for the four operators: the minimum of bytes and 300 is an int.
template <class Result = void, stream_type Stream, view_like In, class Op, detail::no_place Initial>
requires(!view_like<Op>) auto reduce(Stream const& stream, In const& in, Op op, Initial initial,
                                     source_location where = source_location::current()) {
  detail::require_handles("reduce", where, stream, in);
  using T = detail::value_of<In const>;
  using R = std::conditional_t<std::is_void_v<Result>, detail::started_t<Op, T, Initial>, Result>;
  auto const start = detail::started_with<R>(initial, "reduce", where);
  if constexpr (!detail::own_reduction<Op, T>) {
    return detail::reduce_to_host<R>(stream, detail::by_user<R, Op, detail::no_transform, T>(start, op, {}), where, detail::as_view(in));
  } else if constexpr (detail::reduces_to<Op, T, R> || !std::is_void_v<Result>) {
    detail::require_own<Op, T, R>();
    return detail::reduce_to_host<R>(stream, detail::own_reducer<Op, T>(&start), where, detail::as_view(in));
  } else {
    return detail::reduce_and_combine<Op>(stream, detail::as_view(in), start, where);
  }
}

// --- products, extremes -----------------------------------------------------------------------------------------------

/// The product of all elements, as reduce has it; of nothing 1.
template <stream_type Stream, view_like In, view_like Out>
void product(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("product", where, stream, in, out);
  reduce(stream, in, out, multiplies{}, where);
}
template <class Result = void, stream_type Stream, view_like In>
auto product(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("product", where, stream, in);
  return reduce<Result>(stream, in, multiplies{}, where);
}

/// The least element: see reduce.
template <stream_type Stream, view_like In, view_like Out>
void min_of(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("min_of", where, stream, in, out);
  reduce(stream, in, out, minimum{}, where);
}
template <stream_type Stream, view_like In>
auto min_of(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("min_of", where, stream, in);
  return reduce(stream, in, minimum{}, where);
}

/// The greatest element: see reduce.
template <stream_type Stream, view_like In, view_like Out>
void max_of(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("max_of", where, stream, in, out);
  reduce(stream, in, out, maximum{}, where);
}
template <stream_type Stream, view_like In>
auto max_of(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("max_of", where, stream, in);
  return reduce(stream, in, maximum{}, where);
}

/// Both in one pass, as min_max<T>; each as min_of and max_of give it.
template <stream_type Stream, view_like In, view_like Out>
void minmax_of(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("minmax_of", where, stream, in, out);
  using T = detail::value_of<In const>;
  static_assert(detail::number_element<T>, "minmax_of: the elements are integers, float, double, half or bfloat16");
  static_assert(std::same_as<detail::element_of<Out>, min_max<T>>, "minmax_of: the result view holds min_max of the elements' type");
  detail::reduce_into(stream, detail::minmax_reducer<detail::body_t<T>>{}, out, "minmax_of", where, detail::as_view(in));
}
template <stream_type Stream, view_like In>
auto minmax_of(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("minmax_of", where, stream, in);
  using T = detail::value_of<In const>;
  static_assert(detail::number_element<T>, "minmax_of: the elements are integers, float, double, half or bfloat16");
  return detail::reduce_to_host<min_max<T>>(stream, detail::minmax_reducer<detail::body_t<T>>{}, where, detail::as_view(in));
}

namespace detail {

template <class Op, class In>
auto arg_reducer_for(In const& in, char const* operation, source_location where) {
  using T = value_of<In const>;
  static_assert(number_element<T>, "argmin, argmax: the elements are integers, float, double, half or bfloat16");
  auto const shape = as_view(in).shape();
  require(!shape.empty(), where, operation, ": there is no element to find in a view of ", shape);
  return arg_reducer<body_t<T>, Op>{};
}

template <class Out>
inline constexpr bool holds_indices = std::integral<element_of<Out>>&& std::same_as<body_t<element_of<Out>>, index_t>;

}  // namespace detail

/// The row-major index of the least element: of equals the first, and of NaNs the first if there is one; -0.0 equals 0.0. Throws
/// invalid_argument if there is no element. out holds index_t.
template <stream_type Stream, view_like In, view_like Out>
void argmin(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("argmin", where, stream, in, out);
  static_assert(detail::holds_indices<Out>, "argmin: the result view holds index_t");
  detail::reduce_into(stream, detail::arg_reducer_for<minimum>(in, "argmin", where), out, "argmin", where, detail::as_view(in));
}
template <stream_type Stream, view_like In>
index_t argmin(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("argmin", where, stream, in);
  return detail::reduce_to_host<index_t>(stream, detail::arg_reducer_for<minimum>(in, "argmin", where), where, detail::as_view(in));
}

/// The index of the greatest element, by the same rules.
template <stream_type Stream, view_like In, view_like Out>
void argmax(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("argmax", where, stream, in, out);
  static_assert(detail::holds_indices<Out>, "argmax: the result view holds index_t");
  detail::reduce_into(stream, detail::arg_reducer_for<maximum>(in, "argmax", where), out, "argmax", where, detail::as_view(in));
}
template <stream_type Stream, view_like In>
index_t argmax(Stream const& stream, In const& in, source_location where = source_location::current()) {
  detail::require_handles("argmax", where, stream, in);
  return detail::reduce_to_host<index_t>(stream, detail::arg_reducer_for<maximum>(in, "argmax", where), where, detail::as_view(in));
}

}  // namespace dolmen
