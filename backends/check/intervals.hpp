// What each interval belongs to.
#pragma once

#include <atomic>

#include "record.hpp"

namespace dolmen::check::impl {

inline constexpr interval intervals_together = 1 << 16;
extern std::atomic<interval_info*> interval_parts[];
inline interval_info const& info_of(interval i) {
  return interval_parts[i / intervals_together].load(std::memory_order_acquire)[i % intervals_together];
}

}  // namespace dolmen::check::impl
