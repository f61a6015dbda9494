// Minimum, maximum, both.
#include "../../algorithms/reducer_types.hpp"
#include "reduce.hpp"

namespace dolmen::cpu {
#include "../reduce_bodies.inc"

DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_MINMAX_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cpu
