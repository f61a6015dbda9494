#include "radix_sort.cuh"

namespace dolmen::cuda::impl {

DOLMEN_RADIX_PAIRS(std::int64_t)
DOLMEN_RADIX_PAIRS(std::uint64_t)
DOLMEN_RADIX_PAIRS(double)

}  // namespace dolmen::cuda::impl
