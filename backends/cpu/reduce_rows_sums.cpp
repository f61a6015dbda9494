// Sums and products along rows and columns.
#include "reduce_own.hpp"

namespace dolmen::cpu {
using namespace dolmen::detail;

DOLMEN_EACH_SUM_REDUCER(DOLMEN_REDUCE_BOTH)
DOLMEN_EACH_PRODUCT_REDUCER(DOLMEN_REDUCE_BOTH)

}  // namespace dolmen::cpu
