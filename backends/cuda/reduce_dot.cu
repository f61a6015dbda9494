// Inner products.
#include "reduce_instances.cuh"

namespace dolmen::cuda {

DOLMEN_EACH_DOT_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cuda
