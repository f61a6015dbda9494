// Finds phases that write variables of the block scope: those variables lie in the stack frames between the phase and the
// launcher, which must look the same after each thread's body.
#pragma once

#include <cstddef>
#include <vector>

namespace dolmen::check::impl {

/// Where the launcher's frame begins, for the block that this thread runs.
inline thread_local char* launcher_frame = nullptr;

#if defined(__clang__)
#define DOLMEN_NO_SANITIZE __attribute__((no_sanitize("address", "thread", "undefined")))
#else
#define DOLMEN_NO_SANITIZE __attribute__((no_sanitize_address, no_sanitize_thread, no_sanitize_undefined))
#endif

/// A copy of the frames from `low` up to the launcher's.
class frame_copy {
 public:
  DOLMEN_NO_SANITIZE explicit frame_copy(char const* low) : low_(low) {
    if (launcher_frame <= low || launcher_frame - low > 65536) return;
    bytes_.resize(std::size_t(launcher_frame - low));
    take();
  }
  /// True if the frames differ from the copy, which is then renewed.
  DOLMEN_NO_SANITIZE bool changed() {
    char const volatile* const now = low_;
    for (std::size_t i = 0; i < bytes_.size(); ++i)
      if (bytes_[i] != now[i]) {
        take();
        return true;
      }
    return false;
  }

 private:
  DOLMEN_NO_SANITIZE void take() {
    char const volatile* const now = low_;
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = now[i];
  }
  char const* low_;
  std::vector<char> bytes_;
};

}  // namespace dolmen::check::impl
