// Inner products.
#include "../../algorithms/reducer_types.hpp"
#include "reduce.hpp"

namespace dolmen::cuda {
#include "../reduce_bodies.inc"

DOLMEN_EACH_DOT_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cuda
