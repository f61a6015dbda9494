// The positions of extremes, and predicates.
#include "reduce_instances.cuh"

namespace dolmen::cuda {

DOLMEN_EACH_ARG_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_NONZERO_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cuda
