// Minimum, maximum, both.
#include "reduce_instances.cuh"

namespace dolmen::cuda {

DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_MINMAX_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cuda
