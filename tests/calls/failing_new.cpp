#include "failing_new.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

constinit std::atomic<long> to_go{0};  // 0: nothing fails
constinit std::atomic<bool> stays{false}, failed{false};

void count() {
  long n = to_go.load(std::memory_order_relaxed);
  do {
    if (n == 0) return;
  } while (!(n == 1 && stays) && !to_go.compare_exchange_weak(n, n - 1));
  if (n > 1) return;
  failed = true;
  throw std::bad_alloc();
}

void* checked(void* p) {
  if (!p) throw std::bad_alloc();
  return p;
}

void* aligned(std::size_t bytes, std::align_val_t alignment) {
  auto const step = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(step, (bytes + step - 1) / step * step);
}

}  // namespace

namespace testing {

void arm(long k, failing how) noexcept {
  failed = false;
  stays = how == failing::onwards;
  to_go = k;
}

bool disarm() noexcept {
  to_go = 0;
  return failed;
}

}  // namespace testing

void* operator new(std::size_t bytes) {
  count();
  return checked(std::malloc(bytes ? bytes : 1));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  count();
  return checked(aligned(bytes, alignment));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
