// Sums and products along rows and columns.
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

DOLMEN_EACH_SUM_REDUCER(DOLMEN_REDUCE_BOTH)
DOLMEN_EACH_PRODUCT_REDUCER(DOLMEN_REDUCE_BOTH)

}  // namespace dolmen::check
