// Sums of integers in 64 bits.
#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_WIDENING_INTEGER_SCAN(DOLMEN_SCAN)
}  // namespace dolmen::cuda
