#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_UNSIGNED_SCAN(DOLMEN_SCAN, maximum)
DOLMEN_EACH_SIGNED_SCAN(DOLMEN_SCAN, maximum)
DOLMEN_EACH_FLOAT_SCAN(DOLMEN_SCAN, maximum)
}  // namespace dolmen::cuda
