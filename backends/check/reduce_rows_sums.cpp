// Sums and products along rows and columns.
#include "../../algorithms/reducer_types.hpp"
#include "reduce_rows.hpp"

namespace dolmen::check {
#include "../reduce_rows_bodies.inc"

DOLMEN_EACH_SUM_REDUCER(DOLMEN_REDUCE_BOTH)
DOLMEN_EACH_PRODUCT_REDUCER(DOLMEN_REDUCE_BOTH)

}  // namespace dolmen::check
