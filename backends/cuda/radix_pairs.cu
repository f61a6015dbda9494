#include "radix_sort.cuh"

namespace dolmen::cuda::impl {

DOLMEN_RADIX_PAIRS(std::int32_t)
DOLMEN_RADIX_PAIRS(std::uint32_t)
DOLMEN_RADIX_PAIRS(float)

}  // namespace dolmen::cuda::impl
