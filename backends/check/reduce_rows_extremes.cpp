// Extremes along rows and columns, and their places.
#include "../../algorithms/reducer_types.hpp"
#include "reduce_rows.hpp"

namespace dolmen::check {

using namespace dolmen::detail;

template <class R>
void launch_reduce_rows(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                        source_location where) {
  launch_reduce_rows_by(s, r, plan, in, out, where);
}
template <class R>
void launch_reduce_columns(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                           source_location where) {
  launch_reduce_columns_by(s, r, plan, in, out, where);
}

DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE_BOTH)
DOLMEN_EACH_ARG_REDUCER(DOLMEN_REDUCE_ROWS)

}  // namespace dolmen::check
