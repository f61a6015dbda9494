// An operator new that fails when it is asked to. Every allocation of the program goes through it, on any thread.
#pragma once

namespace testing {

enum class failing {
  once,    ///< the k-th allocation fails, those after it do not
  onwards  ///< the k-th and all after it
};

/// From now on, until disarm(): the k-th allocation of the process fails, k = 1 being the next.
void arm(long k, failing how) noexcept;
/// True if one failed since arm().
bool disarm() noexcept;

}  // namespace testing
