// Extremes along rows and columns, and their places.
#include "reduce_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE_BOTH)
DOLMEN_EACH_ARG_REDUCER(DOLMEN_REDUCE_ROWS)

}  // namespace dolmen::cuda
