// Inner products.
#include "../../algorithms/reducer_types.hpp"
#include "reduce.hpp"

namespace dolmen::cpu {
#include "../reduce_bodies.inc"

DOLMEN_EACH_DOT_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cpu
