// Scans: every element combined with all that come before it, in order.
#pragma once

#include "../core/operators.hpp"
#include "../core/overlap.hpp"
#include "initial.hpp"

// M(in, out, operator) for each scan whose body is instantiated. Sums and products of integers wrap, so that those of
// signed ones have the bits of the unsigned ones'.
#define DOLMEN_EACH_UNSIGNED_SCAN(M, Op) \
  M(std::uint8_t, std::uint8_t, Op)      \
  M(std::uint16_t, std::uint16_t, Op) M(std::uint32_t, std::uint32_t, Op) M(std::uint64_t, std::uint64_t, Op)
#define DOLMEN_EACH_SIGNED_SCAN(M, Op) \
  M(std::int8_t, std::int8_t, Op) M(std::int16_t, std::int16_t, Op) M(std::int32_t, std::int32_t, Op) M(std::int64_t, std::int64_t, Op)
#define DOLMEN_EACH_WIDENING_INTEGER_SCAN(M) \
  M(std::int8_t, std::uint64_t, plus)        \
  M(std::int16_t, std::uint64_t, plus)       \
  M(std::int32_t, std::uint64_t, plus)       \
  M(std::uint8_t, std::uint64_t, plus) M(std::uint16_t, std::uint64_t, plus) M(std::uint32_t, std::uint64_t, plus)
#define DOLMEN_EACH_WIDENING_FLOAT_SCAN(M) M(float, double, plus) M(::dolmen::half, float, plus) M(::dolmen::bfloat16, float, plus)
#define DOLMEN_EACH_WIDENING_SCAN(M) DOLMEN_EACH_WIDENING_INTEGER_SCAN(M) DOLMEN_EACH_WIDENING_FLOAT_SCAN(M)
#define DOLMEN_EACH_FLOAT_SCAN(M, Op) \
  M(float, float, Op) M(double, double, Op) M(::dolmen::half, ::dolmen::half, Op) M(::dolmen::bfloat16, ::dolmen::bfloat16, Op)
#define DOLMEN_EACH_SUM_SCAN(M) DOLMEN_EACH_UNSIGNED_SCAN(M, plus) DOLMEN_EACH_WIDENING_SCAN(M) DOLMEN_EACH_FLOAT_SCAN(M, plus)
#define DOLMEN_EACH_PRODUCT_SCAN(M) DOLMEN_EACH_UNSIGNED_SCAN(M, multiplies) DOLMEN_EACH_FLOAT_SCAN(M, multiplies)
#define DOLMEN_EACH_EXTREME_SCAN(M, Op) DOLMEN_EACH_UNSIGNED_SCAN(M, Op) DOLMEN_EACH_SIGNED_SCAN(M, Op) DOLMEN_EACH_FLOAT_SCAN(M, Op)
#define DOLMEN_EACH_SCAN(M) \
  DOLMEN_EACH_SUM_SCAN(M) DOLMEN_EACH_PRODUCT_SCAN(M) DOLMEN_EACH_EXTREME_SCAN(M, minimum) DOLMEN_EACH_EXTREME_SCAN(M, maximum)

namespace dolmen {

namespace detail {

template <class Op>
inline constexpr bool is_built_in_operator =
    std::same_as<Op, plus> || std::same_as<Op, multiplies> || std::same_as<Op, minimum> || std::same_as<Op, maximum>;

/// Out where In is added up in a wider type.
template <class In, class Out>
concept widened = (integer_element<In> && integer_element<Out> && sizeof(In) < 8 && sizeof(Out) == 8 &&
                   std::is_signed_v<In> == std::is_signed_v<Out>) ||
                  (std::same_as<In, float> && std::same_as<Out, double>) || (half_type<In> && std::same_as<Out, float>);

template <class In, class Out, class Op>
concept built_in_scan = is_built_in_operator<Op> && number_element<In> && number_element<Out> &&
    (std::same_as<body_t<In>, body_t<Out>> || (std::same_as<Op, plus> && widened<In, Out>));

template <class In, class Out, class Op>
concept user_scan =
    !is_built_in_operator<Op> && std::same_as<In, Out> && std::default_initializable<In> && requires(Op const& op, In const& a) {
  { op(a, a) } -> std::convertible_to<In>;
};

/// In what elements are combined: half and bfloat16 in float.
template <class Out>
using scan_value = std::conditional_t<half_type<Out>, float, Out>;

/// Rows at two strides on either side.
template <class In, class Out, class Value>
struct scan_plan {
  In const* in;
  Out* out;
  index_t extent[3];  // planes, rows, columns
  index_t in_stride[2], out_stride[2];
  bool apart;      // every row is scanned on its own; otherwise all elements, row by row
  bool exclusive;  // an element's result leaves the element out and begins with `initial`
  Value initial;

  DOLMEN_FN index_t lines() const { return apart ? extent[0] * extent[1] : 1; }
  DOLMEN_FN index_t length() const { return apart ? extent[2] : extent[0] * extent[1] * extent[2]; }
  bool one_row() const { return extent[0] == 1 && extent[1] == 1; }
};

template <class In, class Out, class Value>
strided<In const> scan_source(scan_plan<In, Out, Value> const& p) {
  return {p.in, {p.extent[0], p.extent[1], p.extent[2]}, {p.in_stride[0], p.in_stride[1]}};
}
template <class In, class Out, class Value>
strided<Out> scan_target(scan_plan<In, Out, Value> const& p) {
  return {p.out, {p.extent[0], p.extent[1], p.extent[2]}, {p.out_stride[0], p.out_stride[1]}};
}

/// The type by which bodies know an element. Sums and products wrap as those of unsigned integers do.
template <class T, class Op>
struct scan_element {
  using type = body_t<T>;
};
template <class T, class Op>
requires(integer_element<T> && (std::same_as<Op, plus> || std::same_as<Op, multiplies>)) struct scan_element<T, Op> {
  using type = std::make_unsigned_t<body_t<T>>;
};

template <class In, class Out, class Value, class T, class U, int Rank>
scan_plan<In, Out, Value> plan_scan(view<T const, Rank> in, view<U, Rank> out, bool apart, bool exclusive, Value initial, char const* name,
                                    source_location where) {
  static_assert(sizeof(In) == sizeof(T) && sizeof(Out) == sizeof(U));
  require_same_shape(in, out, name, where);
  scan_plan<In, Out, Value> plan{
      reinterpret_cast<In const*>(in.data()), reinterpret_cast<Out*>(out.data()), {1, 1, 1}, {}, {}, apart, exclusive, initial};
  index_t strides[2][Rank];
  strides_of(in, strides[0]);
  strides_of(out, strides[1]);
  if (!apart) {
    auto const c = collapse<2>(out.shape(), strides);
    for (int d = 0; d < 3; ++d) plan.extent[d] = c.extent[d];
    for (int d = 0; d < 2; ++d) plan.in_stride[d] = c.stride[0][d], plan.out_stride[d] = c.stride[1][d];
  } else {  // rows stay rows
    for (int d = 0; d < Rank; ++d) plan.extent[3 - Rank + d] = out.extent(d);
    for (int d = 0; d < Rank - 1; ++d) {
      plan.in_stride[3 - Rank + d] = strides[0][d];
      plan.out_stride[3 - Rank + d] = strides[1][d];
    }
  }
  auto const source = scan_source(plan);
  auto const target = scan_target(plan);
  require(same_elements(source, target) || !share_elements(source, target), where, name,
          ": input and output overlap, but are not the same view");
  return plan;
}

template <stream_type Stream, class T, class U, int Rank, class Op, class Initial>
void scan_views(Stream const& stream, view<T const, Rank> in, view<U, Rank> out, bool apart, bool exclusive, Initial initial, Op op,
                char const* name, source_location where) {
  static_assert(!std::is_const_v<U>, "scan: the result's elements are constant");
  static_assert(DOLMEN_NO_REFERENCES(Op));
  if constexpr (built_in_scan<T, U, Op>) {
    using In = typename scan_element<T, std::conditional_t<sizeof(T) == sizeof(U), Op, void>>::type;
    using Out = typename scan_element<U, Op>::type;
    using Value = scan_value<Out>;
    auto const plan = plan_scan<In, Out, Value>(in, out, apart, exclusive, Value(initial), name, where);
    if (!out.empty()) launch_scan(stream, plan, op, where);
  } else {
    static_assert(user_scan<T, U, Op>,
                  "scan: plus, multiplies, minimum and maximum are for integers, float, double, half and bfloat16, with results of the "
                  "same type (plus also in 64 bits, or float in double, half and bfloat16 in float); another operator takes two "
                  "elements of the views' one type and gives one");
    require_kernel_file<Op>();
    auto const plan = plan_scan<T, U, T>(in, out, apart, exclusive, initial, name, where);
    if (!out.empty()) launch_scan_by(stream, plan, op, where);
  }
}

template <class V>
auto constant_view(V const& v) {
  auto const seen = as_view(v);
  using seen_view = std::remove_const_t<decltype(seen)>;
  return view<typename seen_view::element const, seen_view::rank>(seen);
}

// The value before the first element, for operators on U: float for half and bfloat16 under a built-in operator.
template <class V, class Op>
using initial_of = std::conditional_t<is_built_in_operator<Op>, scan_value<element_of<V>>, element_of<V>>;
template <class Initial, class V, class Op>
concept initial_for = std::convertible_to<Initial, initial_of<V, Op>> ||(number<Initial>&& number<initial_of<V, Op>>);

}  // namespace detail

/// out(i) = in(0) op in(1) op ... op in(i), over all elements of views of one shape, row by row. `op` is plus,
/// multiplies, minimum or maximum (operators.hpp), or any other function object T(T, T) that is associative; it need
/// not be commutative, T is default-constructible, and on a GPU the call stands in a kernel file. It is only ever
/// called on elements and on what it gave, never on padding. `out` may be the view `in` itself.
///
/// Values are combined in the result's element type: integers wrap in it, half and bfloat16 are combined in float and
/// rounded when written. Sums may also go to a wider type: integers to int64 or uint64, float to double, half and
/// bfloat16 to float. What is combined with what depends on the shape, and on whether rows follow each other without a
/// gap, and on a GPU's architecture, and on nothing else: results are the same bits from run to run, for any number of
/// threads and whatever the alignment. On a GPU tiles are combined in groups of one size, groups from left to right, so
/// the error of a sum grows with the number of groups. minimum and maximum pass on NaN. A view without elements is a
/// no-op. Does not synchronise.
/// Throws invalid_argument if the shapes differ, or if the views overlap without being the same.
/// CUDA: single pass; from compute capability 9.0 on through a ring of tiles in shared memory (ring.cuh), else with
/// decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA 2016).
template <stream_type Stream, view_like In, view_like Out, class Op = plus>
void inclusive_scan(Stream const& stream, In const& in, Out&& out, Op op = {}, source_location where = source_location::current()) {
  detail::require_handles("inclusive_scan", where, stream, in, out);
  static_assert(decltype(detail::as_view(in))::rank == decltype(detail::as_view(out))::rank,
                "inclusive_scan: the views have different ranks");
  detail::scan_views(stream, detail::constant_view(in), detail::as_view(out), false, false, detail::initial_of<Out, Op>{}, op,
                     "inclusive_scan", where);
}

/// out(i) = initial op in(0) op ... op in(i - 1), so that out(0) is `initial`, which is 0 where none is given. As
/// inclusive_scan in all else. `initial` is taken in the result's element type, in float for half and bfloat16 under the four
/// operators; throws invalid_argument for a number that this type does not have: -1 or 300 for uint8_t, 0.5 for int.
template <stream_type Stream, view_like In, view_like Out, class Op = plus,
          detail::initial_for<Out, Op> Initial = detail::initial_of<Out, Op>>
void exclusive_scan(Stream const& stream, In const& in, Out&& out, Op op = {}, Initial initial = {},
                    source_location where = source_location::current()) {
  detail::require_handles("exclusive_scan", where, stream, in, out);
  static_assert(decltype(detail::as_view(in))::rank == decltype(detail::as_view(out))::rank,
                "exclusive_scan: the views have different ranks");
  auto const start = detail::started_with<detail::initial_of<Out, Op>>(initial, "exclusive_scan", where);
  detail::scan_views(stream, detail::constant_view(in), detail::as_view(out), false, true, start, op, "exclusive_scan", where);
}

/// inclusive_scan of every row on its own (of every plane, where there are planes).
template <stream_type Stream, view_like In, view_like Out, class Op = plus>
void inclusive_scan_rows(Stream const& stream, In const& in, Out&& out, Op op = {}, source_location where = source_location::current()) {
  detail::require_handles("inclusive_scan_rows", where, stream, in, out);
  static_assert(decltype(detail::as_view(in))::rank == decltype(detail::as_view(out))::rank && decltype(detail::as_view(in))::rank > 1,
                "inclusive_scan_rows: the views have rows, and the same rank");
  detail::scan_views(stream, detail::constant_view(in), detail::as_view(out), true, false, detail::initial_of<Out, Op>{}, op,
                     "inclusive_scan_rows", where);
}

/// exclusive_scan of every row on its own; every row begins with `initial`.
template <stream_type Stream, view_like In, view_like Out, class Op = plus,
          detail::initial_for<Out, Op> Initial = detail::initial_of<Out, Op>>
void exclusive_scan_rows(Stream const& stream, In const& in, Out&& out, Op op = {}, Initial initial = {},
                         source_location where = source_location::current()) {
  detail::require_handles("exclusive_scan_rows", where, stream, in, out);
  static_assert(decltype(detail::as_view(in))::rank == decltype(detail::as_view(out))::rank && decltype(detail::as_view(in))::rank > 1,
                "exclusive_scan_rows: the views have rows, and the same rank");
  auto const start = detail::started_with<detail::initial_of<Out, Op>>(initial, "exclusive_scan_rows", where);
  detail::scan_views(stream, detail::constant_view(in), detail::as_view(out), true, true, start, op, "exclusive_scan_rows", where);
}

}  // namespace dolmen
