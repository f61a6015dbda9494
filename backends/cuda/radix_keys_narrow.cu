#include "radix_sort.cuh"

namespace dolmen::cuda::impl {

DOLMEN_RADIX(std::int8_t)
DOLMEN_RADIX(std::uint8_t)
DOLMEN_RADIX(std::int16_t)
DOLMEN_RADIX(std::uint16_t)
DOLMEN_RADIX(half)
DOLMEN_RADIX(bfloat16)

}  // namespace dolmen::cuda::impl
