#include "fork.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <thread>
#include <vector>

#include "course.hpp"

namespace dolmen::check::impl {
namespace {

struct registry {
  std::mutex mutex;
  std::vector<std::mutex*> held;
  std::vector<fork_steps> steps;
  bool prepared = false;
};

// All or none, as they may be taken in any order elsewhere.
void lock_all(registry& r) {
  for (;;) {
    r.mutex.lock();
    std::size_t n = 0;
    while (n < r.held.size() && r.held[n]->try_lock()) ++n;
    if (n == r.held.size()) return;
    while (n > 0) r.held[--n]->unlock();
    r.mutex.unlock();
    std::this_thread::yield();
  }
}

registry& fork_registry();

void before() {
  auto& r = fork_registry();
  r.prepared = current_course() == nullptr;  // a kernel's body holds what a launch holds; its child has nothing to launch with
  if (!r.prepared) return;
  lock_all(r);
  for (auto const& s : r.steps) s.before();
}

template <void (*fork_steps::*Step)()>
void after() {
  auto& r = fork_registry();
  if (!r.prepared) return;
  for (auto const& s : r.steps) (s.*Step)();
  for (auto* m : r.held) m->unlock();
  r.mutex.unlock();
}

registry& fork_registry() {
  static registry& only = *[] {
    auto* const made = new registry;
    pthread_atfork(before, after<&fork_steps::in_parent>, after<&fork_steps::in_child>);  // once: after what may throw
    return made;
  }();
  return only;
}

}  // namespace

bool hold_in_fork(std::mutex& mutex) {
  auto& r = fork_registry();
  std::lock_guard const lock(r.mutex);
  r.held.push_back(&mutex);
  return true;
}

void at_fork(fork_steps steps) {
  auto& r = fork_registry();
  std::lock_guard const lock(r.mutex);
  r.steps.push_back(steps);
}

void memory_copy::make(std::size_t bytes) {
  file = memfd_create("dolmen check", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, off_t(bytes)) == 0) return;
  std::fputs("dolmen check: fork: the system gives no memory for the child's device memory; the child cannot use it\n", stderr);
  close();
}

void memory_copy::add(char const* from, std::size_t bytes, std::size_t offset) {
  while (file >= 0 && bytes > 0) {
    ssize_t const written = pwrite(file, from, bytes, off_t(offset));
    if (written <= 0) {
      std::fputs("dolmen check: fork: no memory for a copy of the device memory; the child cannot use it\n", stderr);
      return close();
    }
    from += written, bytes -= std::size_t(written), offset += std::size_t(written);
  }
}

void memory_copy::show(char* at, std::size_t bytes, int protection) const {
  if (file >= 0 && mmap(at, bytes, protection, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0) != MAP_FAILED) return;
  mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void memory_copy::close() {
  if (file >= 0) ::close(file);
  file = -1;
}

}  // namespace dolmen::check::impl
