#include "chain.hpp"

#include <thread>

namespace dolmen::cpu::impl {

bool turns::wait(index_t c) const noexcept {
  for (int tries = 0;; ++tries) {
    index_t const now = __atomic_load_n(&next_, __ATOMIC_ACQUIRE);
    if (now == c || now == failed) return now == c;
    if (tries >= 2000) std::this_thread::yield();
#if defined(__x86_64__)
    else
      __builtin_ia32_pause();
#endif
  }
}

}  // namespace dolmen::cpu::impl
