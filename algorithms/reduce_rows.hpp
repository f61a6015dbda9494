// Reductions along rows and along columns of matrices, and of every matrix of a batch (views of rank 3).
//
// Operators, types, initial values, NaN and order are those of reduce.hpp. All throw invalid_argument if the results overlap the
// input. None of these synchronises. Results are
// bit-identical from run to run on one backend, on the CPU whatever the number of threads.
#pragma once

#include "reduce.hpp"

namespace dolmen {

namespace detail {

/// `planes` matrices, and one result per row or per column of each.
struct rows_plan {
  index_t planes, rows, columns;
  index_t plane_stride, row_stride;  // of the matrices
  index_t out_stride;                // from one matrix's results to the next's
};

template <class T, int Rank>
rows_plan plan_rows(view<T, Rank> in, index_t out_stride) {
  if constexpr (Rank == 2)
    return {1, in.extent(0), in.extent(1), 0, in.stride(0), out_stride};
  else
    return {in.extent(0), in.extent(1), in.extent(2), in.stride(0), in.stride(1), out_stride};
}

/// The shape of the results: that of `in` without dimension `along`.
template <int Rank>
extents<Rank - 1> without(extents<Rank> const& shape, int along) {
  extents<Rank - 1> rest{};
  for (int d = 0, k = 0; d < Rank; ++d)
    if (d != along) rest[k++] = shape[d];
  return rest;
}

enum class along { rows, columns };

template <along Direction, class In, class Out>
auto plan_along(In const& in, Out const& out, char const* operation, source_location where) {
  auto const source = as_view(in);
  auto const target = as_view(out);
  constexpr int rank = decltype(source)::rank;
  static_assert(rank >= 2 && decltype(target)::rank == rank - 1,
                "reductions along rows or columns go from a matrix to a view of rank 1, or from a view of rank 3 to a matrix");
  auto const expected = without(source.shape(), Direction == along::rows ? rank - 1 : rank - 2);
  bool same = true;
  for (int d = 0; d < rank - 1; ++d) same = same && expected[d] == target.extent(d);
  require(same, where, operation, ": of a view of ", source.shape(), " the results are ", expected, ", the result view is ",
          target.shape());
  require_output_apart(source, target, operation, where);
  auto plan = plan_rows(source, target.stride(0));
  // A batch that is one matrix with more rows.
  if (Direction == along::rows && plan.plane_stride == plan.rows * plan.row_stride && plan.out_stride == plan.rows)
    plan = {1, plan.planes * plan.rows, plan.columns, 0, plan.row_stride, 0};
  return plan;
}

template <along Direction, class R, class Stream, class In, class Out>
void reduce_along(Stream const& stream, R const& reducer, In const& in, Out&& out, char const* operation, source_location where) {
  auto const plan = plan_along<Direction>(in, out, operation, where);
  auto const target = as_view(out);
  static_assert(sizeof(element_of<Out>) == sizeof(typename R::result) && !std::is_const_v<element_of<Out>>);
  if constexpr (!R::built_in) require_kernel_file<R>();
  if (target.empty()) return;
  auto const* const from = reinterpret_cast<typename R::first const*>(as_view(in).data());
  auto* const to = reinterpret_cast<typename R::result*>(target.data());
  if constexpr (Direction == along::rows) {
    if constexpr (R::built_in)
      launch_reduce_rows(stream, reducer, plan, from, to, where);
    else
      launch_reduce_rows_by(stream, reducer, plan, from, to, where);
  } else {
    if constexpr (R::built_in)
      launch_reduce_columns(stream, reducer, plan, from, to, where);
    else
      launch_reduce_columns_by(stream, reducer, plan, from, to, where);
  }
}

template <along Direction, class Stream, class In, class Out, class Op, class Initial>
void reduce_along_from(Stream const& stream, In const& in, Out&& out, Op op, Initial initial, char const* operation,
                       source_location where) {
  using T = value_of<In const>;
  using Result = element_of<Out>;
  if constexpr (own_reduction<Op, T>) {
    require_own<Op, T, Result>();
    auto const start = started_with<Result>(initial, operation, where);
    reduce_along<Direction>(stream, own_reducer<Op, T>(&start), in, out, operation, where);
  } else {
    using V = started_t<Op, T, Initial>;
    static_assert(std::same_as<V, Result>,
                  "reduce: the result view has another element type than elements and initial value have in common");
    reduce_along<Direction>(stream, by_user<V, Op, no_transform, T>(started_with<V>(initial, operation, where), op, {}), in, out, operation,
                            where);
  }
}

}  // namespace detail

/// out(r) becomes row r of `in` combined by plus, multiplies, minimum or maximum; for a view of rank 3, out(p, r) row r of
/// matrix p. A row of no elements gives what reduce gives of nothing; no rows are a no-op. Throws invalid_argument that names both
/// shapes unless out has one element per row. Does not synchronise.
template <stream_type Stream, view_like In, view_like Out, class Op = plus>
void reduce_rows(Stream const& stream, In const& in, Out&& out, Op = {}, source_location where = source_location::current()) {
  detail::require_handles("reduce_rows", where, stream, in, out);
  using T = detail::value_of<In const>;
  using Result = detail::element_of<Out>;
  detail::require_own<Op, T, Result>();
  detail::reduce_along<detail::along::rows>(stream, detail::own_reducer<Op, T, Result>(), in, out, "reduce_rows", where);
}
/// With an initial value, which stands before every row, and any associative operator: see reduce.
template <stream_type Stream, view_like In, view_like Out, class Op, detail::no_place Initial>
void reduce_rows(Stream const& stream, In const& in, Out&& out, Op op, Initial initial,
                 source_location where = source_location::current()) {
  detail::require_handles("reduce_rows", where, stream, in, out);
  detail::reduce_along_from<detail::along::rows>(stream, in, out, op, initial, "reduce_rows", where);
}

/// out(c) becomes column c of `in` combined by plus, multiplies, minimum or maximum, from the first row to the last; for a view of
/// rank 3, out(p, c) column c of matrix p. Else as reduce_rows.
template <stream_type Stream, view_like In, view_like Out, class Op = plus>
void reduce_columns(Stream const& stream, In const& in, Out&& out, Op = {}, source_location where = source_location::current()) {
  detail::require_handles("reduce_columns", where, stream, in, out);
  using T = detail::value_of<In const>;
  using Result = detail::element_of<Out>;
  detail::require_own<Op, T, Result>();
  detail::reduce_along<detail::along::columns>(stream, detail::own_reducer<Op, T, Result>(), in, out, "reduce_columns", where);
}
template <stream_type Stream, view_like In, view_like Out, class Op, detail::no_place Initial>
void reduce_columns(Stream const& stream, In const& in, Out&& out, Op op, Initial initial,
                    source_location where = source_location::current()) {
  detail::require_handles("reduce_columns", where, stream, in, out);
  detail::reduce_along_from<detail::along::columns>(stream, in, out, op, initial, "reduce_columns", where);
}

/// out(r) becomes the column of the least element of row r, by the rules of argmin; for a view of rank 3, out(p, r). out holds
/// index_t. Throws invalid_argument if there are rows without elements, or unless out has one element per row. Does not
/// synchronise.
template <stream_type Stream, view_like In, view_like Out>
void argmin_rows(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("argmin_rows", where, stream, in, out);
  static_assert(detail::holds_indices<Out>, "argmin_rows: the result view holds index_t");
  auto const plan = detail::plan_along<detail::along::rows>(in, out, "argmin_rows", where);
  if (plan.planes * plan.rows == 0) return;
  detail::reduce_along<detail::along::rows>(stream, detail::arg_reducer_for<minimum>(in, "argmin_rows", where), in, out, "argmin_rows",
                                            where);
}
/// The same for the greatest element.
template <stream_type Stream, view_like In, view_like Out>
void argmax_rows(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("argmax_rows", where, stream, in, out);
  static_assert(detail::holds_indices<Out>, "argmax_rows: the result view holds index_t");
  auto const plan = detail::plan_along<detail::along::rows>(in, out, "argmax_rows", where);
  if (plan.planes * plan.rows == 0) return;
  detail::reduce_along<detail::along::rows>(stream, detail::arg_reducer_for<maximum>(in, "argmax_rows", where), in, out, "argmax_rows",
                                            where);
}

}  // namespace dolmen
