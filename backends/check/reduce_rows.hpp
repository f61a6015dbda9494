#pragma once

#include "../../algorithms/reduce_rows.hpp"
#include "reduce.hpp"

namespace dolmen::check {

namespace impl {

/// Line by line: lines are rows, or columns, whose elements lie `step` apart.
template <class R>
void reduce_lines(char const* name, stream const& s, R const& r, rows_plan const& plan, typename R::first const* in,
                  typename R::result* out, index_t lines, index_t length, index_t line_stride, index_t step, source_location where) {
  using V = typename R::value;
  algorithm const op(name, s, where);
  bool const usable =
      op.reads(strided<typename R::first const>{in, {plan.planes, plan.rows, plan.columns}, {plan.plane_stride, plan.row_stride}});
  if (!op.writes(strided<typename R::result>{out, {1, plan.planes, lines}, {0, plan.out_stride}}) || !usable) return;
  in = opened(in), out = opened(out);
  with_reducer(op, r, [&](auto const& reducer) {
    for (index_t p = 0; p < plan.planes; ++p)
      for (index_t l = 0; l < lines; ++l) {
        auto const* const from = in + p * plan.plane_stride + l * line_stride;
        auto const fold = [&](auto self, index_t begin, index_t end) -> V {
          if (end - begin == 1) return reducer.template lift<V>(begin, from[begin * step]);
          index_t const middle = begin + (end - begin) / 2;
          V const left = self(self, begin, middle);
          return reducer.template combine<V>(left, self(self, middle, end));
        };
        out[p * plan.out_stride + l] = length > 0 ? reducer.finish(fold(fold, 0, length)) : reducer.nothing();
      }
  });
}

}  // namespace impl

/// The library's own reducers: reduce_rows.cpp.
template <class R>
void launch_reduce_rows(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                        typename R::result* out, source_location where);
template <class R>
void launch_reduce_columns(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                           typename R::result* out, source_location where);

/// A user's.
template <class R>
void launch_reduce_rows_by(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                           typename R::result* out, source_location where) {
  impl::reduce_lines("reduce_rows", s, reducer, plan, in, out, plan.rows, plan.columns, plan.row_stride, 1, where);
}
template <class R>
void launch_reduce_columns_by(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                              typename R::result* out, source_location where) {
  impl::reduce_lines("reduce_columns", s, reducer, plan, in, out, plan.columns, plan.rows, 1, plan.row_stride, where);
}

}  // namespace dolmen::check
