#pragma once

#include "../../algorithms/reduce_rows.hpp"
#include "reduce.hpp"
#include "reduce_rows_body.hpp"

namespace dolmen::cpu {

/// The library's own reducers: reduce_rows_*.cpp.
template <class R>
void launch_reduce_rows(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                        typename R::result* out, source_location where);
template <class R>
void launch_reduce_columns(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                           typename R::result* out, source_location where);

/// A user's.
template <class R, class File = this_file>
inline void launch_reduce_rows_by(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                                  typename R::result* out, source_location where) {
  impl::reduce_rows<File>(s, reducer, plan, in, out, where);
}
template <class R, class File = this_file>
inline void launch_reduce_columns_by(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                                     typename R::result* out, source_location where) {
  impl::reduce_columns<File>(s, reducer, plan, in, out, where);
}

}  // namespace dolmen::cpu
