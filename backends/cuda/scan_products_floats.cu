// Products of floats.
#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_FLOAT_SCAN(DOLMEN_SCAN, multiplies)
}  // namespace dolmen::cuda
