#include "stream_store.hpp"

#include <unistd.h>

#include "engine.hpp"

namespace dolmen::cpu {
namespace {

index_t last_level_cache() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  if (long const bytes = sysconf(_SC_LEVEL3_CACHE_SIZE); bytes > 0) return bytes;
  if (long const bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return bytes;
#endif
  return index_t(32) << 20;
}

}  // namespace

bool past_caches(index_t bytes) {
  constexpr index_t least = index_t(4) << 20, thread_share = index_t(16) << 20;
  if (bytes < least) return false;
  static index_t const cache = last_level_cache();
  return bytes > min(cache / 2, workers() * thread_share);
}

}  // namespace dolmen::cpu
