// Keys of 1 and 2 bytes.
#include "radix_sort.cuh"

namespace dolmen::cuda::impl {

DOLMEN_RADIX_PAIRS(std::uint8_t, std::uint32_t)
DOLMEN_RADIX_PAIRS(std::uint8_t, std::uint64_t)
DOLMEN_RADIX_PAIRS(std::uint16_t, std::uint32_t)
DOLMEN_RADIX_PAIRS(std::uint16_t, std::uint64_t)

}  // namespace dolmen::cuda::impl
