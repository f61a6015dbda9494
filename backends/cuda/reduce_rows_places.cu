// The positions of extremes along rows.
#include "reduce_instances.cuh"

namespace dolmen::cuda {

DOLMEN_EACH_ARG_REDUCER(DOLMEN_REDUCE_ROWS)

}  // namespace dolmen::cuda
