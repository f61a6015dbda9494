// Sums and products.
#include "../../algorithms/reducer_types.hpp"
#include "reduce.hpp"

namespace dolmen::cpu {
#include "../reduce_bodies.inc"

DOLMEN_EACH_SUM_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_PRODUCT_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cpu
