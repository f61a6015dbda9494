// Sums of floats, and of those in a wider type.
#include "scan_instances.cuh"

namespace dolmen::cuda {
DOLMEN_EACH_FLOAT_SCAN(DOLMEN_SCAN, plus)
DOLMEN_EACH_WIDENING_FLOAT_SCAN(DOLMEN_SCAN)
}  // namespace dolmen::cuda
