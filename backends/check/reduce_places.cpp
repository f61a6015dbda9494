// The places of extremes; counts and questions.
#include "../../algorithms/reducer_types.hpp"
#include "reduce.hpp"

namespace dolmen::check {
#include "../reduce_bodies.inc"

DOLMEN_EACH_ARG_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_NONZERO_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::check
