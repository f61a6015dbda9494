// Minimum, maximum, both.
#include "reduce_own.hpp"

namespace dolmen::cpu {
using namespace dolmen::detail;

DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_MINMAX_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cpu
