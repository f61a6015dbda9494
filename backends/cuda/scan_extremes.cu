// Minima and maxima of integers: one kernel for each size, see ordered_bits.cuh.
#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_UNSIGNED_SCAN(DOLMEN_SCAN, minimum)
DOLMEN_EACH_UNSIGNED_SCAN(DOLMEN_SCAN, maximum)
DOLMEN_EACH_SIGNED_SCAN(DOLMEN_SCAN, minimum)
DOLMEN_EACH_SIGNED_SCAN(DOLMEN_SCAN, maximum)
}  // namespace dolmen::cuda
