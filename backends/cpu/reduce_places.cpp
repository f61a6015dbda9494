// The places of extremes; counts and questions.
#include "reduce_own.hpp"

namespace dolmen::cpu {
using namespace dolmen::detail;

DOLMEN_EACH_ARG_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_NONZERO_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cpu
