#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_PRODUCT_SCAN(DOLMEN_SCAN)
}  // namespace dolmen::cuda
