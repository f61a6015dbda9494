// Sums of floats in double, of halves in float.
#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_WIDENING_FLOAT_SCAN(DOLMEN_SCAN)
}  // namespace dolmen::cuda
