// Products along rows and columns.
#include "reduce_instances.cuh"

namespace dolmen::cuda {

DOLMEN_EACH_PRODUCT_REDUCER(DOLMEN_REDUCE_BOTH)

}  // namespace dolmen::cuda
