// Answers of CUDA that are kept, since asking takes longer than a launch.
#pragma once

namespace dolmen::cuda::impl {

/// A number that any thread may read and write; nothing else is ordered by it. Begins as 0. (Not std::atomic, whose header every
/// kernel file would read several times.)
template <class N>
class kept {
 public:
  N load() const noexcept { return __atomic_load_n(&number_, __ATOMIC_RELAXED); }
  void store(N n) noexcept { __atomic_store_n(&number_, n, __ATOMIC_RELAXED); }
  void set_bits(N bits) noexcept { __atomic_fetch_or(&number_, bits, __ATOMIC_RELAXED); }

 private:
  N number_ = 0;
};

}  // namespace dolmen::cuda::impl
