// Extremes along rows and columns, and their places.
#include "reduce_own.hpp"

namespace dolmen::cpu {
using namespace dolmen::detail;

DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE_BOTH)
DOLMEN_EACH_ARG_REDUCER(DOLMEN_REDUCE_ROWS)

}  // namespace dolmen::cpu
