// Finds phases that write variables of the block scope: those variables lie in the stack frames between the phase and the
// launcher, which must look the same after each thread's body.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../core/config.hpp"

namespace dolmen::check::impl {

/// Where the launcher's frame begins, for the block that this thread runs.
inline thread_local char* launcher_frame = nullptr;

#if defined(__clang__)
#define DOLMEN_NO_SANITIZE __attribute__((no_sanitize("address", "thread", "undefined")))
#else
#define DOLMEN_NO_SANITIZE __attribute__((no_sanitize_address, no_sanitize_thread, no_sanitize_undefined))
#endif

/// Memory for a copy, the same for all copies of the calling thread.
DOLMEN_API std::uint64_t* frame_words(std::size_t count);

/// A copy of the frames from `low` up to the launcher's; one at a time per thread.
class frame_copy {
  using word = std::uint64_t __attribute__((may_alias));

 public:
  DOLMEN_NO_SANITIZE explicit frame_copy(char const* low) {
    low = low + (-reinterpret_cast<std::uintptr_t>(low) & (sizeof(word) - 1));
    low_ = reinterpret_cast<word const*>(low);
    if (launcher_frame <= low || launcher_frame - low > 65536) return;
    count_ = std::size_t(launcher_frame - low) / sizeof(word);
    copy_ = frame_words(count_);
    take();
  }
  frame_copy(frame_copy const&) = delete;
  /// True if the frames differ from the copy, which is then renewed.
  DOLMEN_NO_SANITIZE bool changed() {
    asm volatile("" ::: "memory");  // what the body wrote is in memory now
    word const* const now = low_;
    std::uint64_t const* const before = copy_;
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < count_; ++i) difference |= now[i] ^ before[i];
    if (difference != 0) take();
    return difference != 0;
  }

 private:
  DOLMEN_NO_SANITIZE void take() {
    asm volatile("" ::: "memory");
    for (std::size_t i = 0; i < count_; ++i) copy_[i] = low_[i];
  }
  word const* low_;
  std::uint64_t* copy_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace dolmen::check::impl
