// Extremes along rows and columns, and their places.
#include "../../algorithms/reducer_types.hpp"
#include "reduce_rows.hpp"

namespace dolmen::check {
#include "../reduce_rows_bodies.inc"

DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE_BOTH)
DOLMEN_EACH_ARG_REDUCER(DOLMEN_REDUCE_ROWS)

}  // namespace dolmen::check
