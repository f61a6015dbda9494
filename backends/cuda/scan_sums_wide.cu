#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_WIDENING_SCAN(DOLMEN_SCAN)
}  // namespace dolmen::cuda
