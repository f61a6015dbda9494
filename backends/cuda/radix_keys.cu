#include "radix_sort.cuh"

namespace dolmen::cuda::impl {

DOLMEN_RADIX(std::int32_t)
DOLMEN_RADIX(std::uint32_t)
DOLMEN_RADIX(std::int64_t)
DOLMEN_RADIX(std::uint64_t)
DOLMEN_RADIX(float)
DOLMEN_RADIX(double)

}  // namespace dolmen::cuda::impl
