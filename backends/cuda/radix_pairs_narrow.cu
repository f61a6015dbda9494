#include "radix_sort.cuh"

namespace dolmen::cuda::impl {

DOLMEN_RADIX_PAIRS(std::uint8_t)
DOLMEN_RADIX_PAIRS(std::uint16_t)

}  // namespace dolmen::cuda::impl
