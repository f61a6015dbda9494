#include "interrupt.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <iterator>

namespace study {
namespace {

// What a handler may touch: atomics without locks.
std::atomic<int> first_signal{0};
std::atomic<long long> first_time{0};  // milliseconds
std::atomic<pid_t> told_too{0};
std::atomic<char const*> temporaries[4];
static_assert(std::atomic<long long>::is_always_lock_free && std::atomic<char const*>::is_always_lock_free);

constexpr int requests[] = {SIGINT, SIGTERM};
constexpr long long second_after = 500;
struct sigaction before[std::size(requests)];

long long now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

void take_request(int number) {
  int const kept = errno;
  if (pid_t const child = told_too) kill(child, number);
  int none = 0;
  if (first_signal.compare_exchange_strong(none, number)) {
    first_time = now();
  } else if (first_time != 0 && now() - first_time >= second_after) {
    for (auto& path : temporaries)
      if (char const* const p = path) unlink(p);
    _exit(interrupted_status);
  }
  errno = kept;
}

}  // namespace

interrupt_guard::interrupt_guard() {
  first_signal = 0, first_time = 0;
  struct sigaction take {};
  take.sa_handler = take_request;
  take.sa_flags = SA_RESTART;
  sigemptyset(&take.sa_mask);
  for (std::size_t k = 0; k < std::size(requests); ++k) {
    sigaction(requests[k], nullptr, &before[k]);
    if (before[k].sa_handler != SIG_IGN) sigaction(requests[k], &take, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);
}

interrupt_guard::~interrupt_guard() {
  for (std::size_t k = 0; k < std::size(requests); ++k) sigaction(requests[k], &before[k], nullptr);
  first_signal = 0, first_time = 0;
}

bool interrupted() { return first_signal != 0; }

char const* interrupt_name() { return first_signal == SIGINT ? "SIGINT" : first_signal == SIGTERM ? "SIGTERM" : ""; }

void forward_interrupts_to(pid_t child) { told_too = child; }

temporary_file::temporary_file(char const* path) : slot_(-1) {
  for (int k = 0; k < int(std::size(temporaries)) && slot_ < 0; ++k) {
    char const* none = nullptr;
    if (temporaries[k].compare_exchange_strong(none, path)) slot_ = k;
  }
}

temporary_file::~temporary_file() {
  if (slot_ >= 0) temporaries[slot_] = nullptr;
}

}  // namespace study
