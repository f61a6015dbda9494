// Keys of 4 bytes with payloads of 8: files of their own, as they take long to compile.
#include "radix_sort.cuh"

namespace dolmen::cuda::impl {

DOLMEN_RADIX_PAIRS(std::int32_t, std::uint64_t)
DOLMEN_RADIX_PAIRS(std::uint32_t, std::uint64_t)
DOLMEN_RADIX_PAIRS(float, std::uint64_t)

}  // namespace dolmen::cuda::impl
