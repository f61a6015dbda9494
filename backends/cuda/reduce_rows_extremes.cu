// Extremes along rows and columns: one body for each size, see reduce_bits.cuh.
#include "reduce_instances.cuh"

namespace dolmen::cuda {

DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE_BOTH)

}  // namespace dolmen::cuda
