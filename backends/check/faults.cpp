#include "faults.hpp"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

#include "lent.hpp"
#include "monitor.hpp"
#include "pinned.hpp"

namespace dolmen::check::impl {
namespace {

void on_fault(int signal, siginfo_t* info, void* context);

// Who had the signal before. A handler reads it without a lock: it is written while no handler of this library is installed, or
// by the handler itself.
struct sigaction next_handler, first_handler;

bool handles_by(struct sigaction const& a, void (*handler)(int)) { return (a.sa_flags & SA_SIGINFO) == 0 && a.sa_handler == handler; }

void end_by_signal(int signal, siginfo_t const* info) {
  ::signal(signal, SIG_DFL);
  if (info->si_code <= 0) raise(signal);  // sent, not met: it would not come again
}  // the access is repeated, and ends the program as it would have

// The tail of a siginfo_t, which the system clears: marks one that was passed on. A handler may know this one as its predecessor,
// and call it: then the very first handler has it. No state outlives the call, since handlers may leave by siglongjmp.
constexpr std::uint64_t to_next = 0x646f6c6d656e2121, to_first = to_next + 1;
std::uint64_t& mark_of(siginfo_t* info) {
  static_assert(sizeof(siginfo_t) == 128);
  return *reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(info) + 120);
}

// To whoever had the signal before, under the mask and by the flags that it asked for, as if it had been called by the system.
void pass_on(int signal, siginfo_t* info, void* context) {
  struct sigaction const next = mark_of(info) == to_next ? first_handler : next_handler;
  bool const sent = info->si_code <= 0;
  if (sent && handles_by(next, SIG_IGN)) return;
  if (handles_by(next, SIG_DFL) || handles_by(next, SIG_IGN) || mark_of(info) == to_first) return end_by_signal(signal, info);
  if ((next.sa_flags & int(SA_RESETHAND)) != 0) {
    next_handler = {};
    next_handler.sa_handler = SIG_DFL;
  }
  sigset_t mask = next.sa_mask, before;
  if ((next.sa_flags & SA_NODEFER) == 0) sigaddset(&mask, signal);
  pthread_sigmask(SIG_BLOCK, &mask, &before);
  if (next.sa_flags & SA_SIGINFO) {
    mark_of(info) = mark_of(info) == to_next ? to_first : to_next;
    next.sa_sigaction(signal, info, context);
  } else {
    next.sa_handler(signal);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Where the system does not say, any access may be a write.
bool may_write([[maybe_unused]] void* context) {
#if defined(__x86_64__) && defined(__linux__)
  return (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  return true;
#endif
}

// A kernel that goes through a pointer is right, and goes on. What it reads and writes is not seen: only an address that is in no
// allocation, and what is written counts as initialised.
bool through_pointer(monitor& m, char* address, bool writing) {
  auto& w = window::get();
  auto const what = w.find(address);
  if (!what.live || address >= what.begin + what.bytes) {
    m.pointer_outside(address, what);
    return w.open(address, address + 1, true);
  }
  if (!w.open(what.begin, what.begin + what.bytes, writing)) return false;
  if (writing) {
    auto* const states = w.state(what.begin);
    std::replace(states, states + what.bytes, allocated, initialised);
  }
  return true;
}

bool touched_by_host(char* address) {
  auto& w = window::get();
  auto const what = w.find(address);
  finding f;
  f.what = what.live || what.bytes == 0 ? kind::host_access : kind::use_after_free;
  f.kernel = "host code";
  f.element = describe_address(address, 1);
  f.second = place_of(what.where);
  report(std::move(f));
  return w.open(address, address + 1, true);  // the program goes on, on the device's memory
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (info->si_code > 0) {
    char* const address = static_cast<char*>(info->si_addr);
    if (window::get().holds(address)) {
      auto* const m = current_monitor();
      if (m ? through_pointer(*m, address, may_write(context)) : touched_by_host(address)) return;
    } else if (touch_pinned(address) || touch_lent(address)) {
      return;
    }
  }
  pass_on(signal, info, context);
}

}  // namespace

void take_faults() {
  static std::mutex& mutex = *new std::mutex;
  static bool first = true;
  std::lock_guard const lock(mutex);
  struct sigaction now = {};
  if (sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return;
  struct sigaction handler = {};
  handler.sa_sigaction = on_fault;
  handler.sa_flags = SA_SIGINFO | SA_NODEFER | (now.sa_flags & SA_ONSTACK);
  next_handler = now;
  if (std::exchange(first, false)) first_handler = now;
  sigaction(SIGSEGV, &handler, nullptr);
}

}  // namespace dolmen::check::impl
