// Products of integers.
#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_UNSIGNED_SCAN(DOLMEN_SCAN, multiplies)
}  // namespace dolmen::cuda
