// Sums of floats in their own type.
#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_FLOAT_SCAN(DOLMEN_SCAN, plus)
}  // namespace dolmen::cuda
