#include "radix_pairs.cuh"

namespace dolmen::cuda::impl {

DOLMEN_RADIX_PAIRS(std::uint32_t, std::uint32_t)
DOLMEN_RADIX_PAIRS(std::uint32_t, std::uint64_t)
DOLMEN_RADIX_PAIRS(std::uint64_t, std::uint32_t)
DOLMEN_RADIX_PAIRS(std::uint64_t, std::uint64_t)

}  // namespace dolmen::cuda::impl
