#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_EXTREME_SCAN(DOLMEN_SCAN, minimum)
}  // namespace dolmen::cuda
