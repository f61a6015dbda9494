// Inner products.
#include "reduce_own.hpp"

namespace dolmen::cpu {
using namespace dolmen::detail;

DOLMEN_EACH_DOT_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cpu
