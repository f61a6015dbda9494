// What everybody knows of the memory pools; the pool itself is in pool/memory_pool.hpp.
#pragma once

#include <cstddef>

#include "types.hpp"

namespace dolmen {

namespace types {

/// What a pool holds, in bytes.
struct pool_statistics {
  index_t held;  // taken from the device
  index_t used;  // handed out now
  index_t peak;  // the most that was ever handed out at once (since reset_peak)
};

}  // namespace types

using types::pool_statistics;

namespace detail {

class memory_pool;
struct pool_block;
inline constexpr std::size_t pool_alignment = 256;

}  // namespace detail
}  // namespace dolmen
