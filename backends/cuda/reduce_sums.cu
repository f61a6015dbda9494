// Sums and products.
#include "reduce_instances.cuh"

namespace dolmen::cuda {

DOLMEN_EACH_SUM_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_PRODUCT_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cuda
