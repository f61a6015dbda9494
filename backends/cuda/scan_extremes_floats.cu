// Minima and maxima of floats: one kernel for each type.
#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_FLOAT_SCAN(DOLMEN_SCAN, minimum)
DOLMEN_EACH_FLOAT_SCAN(DOLMEN_SCAN, maximum)
}  // namespace dolmen::cuda
