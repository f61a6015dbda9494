// Sums and products.
#include "reduce_own.hpp"

namespace dolmen::cpu {
using namespace dolmen::detail;

DOLMEN_EACH_SUM_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_PRODUCT_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cpu
