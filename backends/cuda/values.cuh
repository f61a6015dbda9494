// Values per thread, lane and warp on a GPU: registers.
#pragma once

#include "../../core/lanes.hpp"

namespace dolmen::cuda {

/// One value per thread, or per lane of the warp at hand.
template <class T>
class per_thread {
  static_assert(std::is_trivially_copyable_v<T>, "per_thread, per_warp and per_lane values must be trivially copyable");

 public:
  using value_type = T;

  __device__ __forceinline__ explicit per_thread(T initial) : value_(initial) {}
  per_thread(per_thread&&) = default;
  DOLMEN_INLINE_FN per_thread& operator=(per_thread const& other) {
    value_ = other.value_;
    return *this;
  }

  DOLMEN_INLINE_FN T& operator[](thread const&) { return value_; }
  DOLMEN_INLINE_FN T const& operator[](thread const&) const { return value_; }
  DOLMEN_INLINE_FN T const& own() const { return value_; }

 private:
  T value_;
};

/// One value per W neighbouring threads; each of them holds it.
template <class T, int W>
class per_group {
 public:
  using value_type = T;

  __device__ __forceinline__ explicit per_group(T const& initial) : value_(initial) {}
  per_group(per_group&&) = default;
  DOLMEN_INLINE_FN per_group& operator=(per_group const& other) {
    value_ = other.value_;
    return *this;
  }

  DOLMEN_INLINE_FN T const& operator[](thread const&) const { return value_; }
  /// At warp scope.
  template <class Warp>
  DOLMEN_INLINE_FN T& operator[](Warp const&) requires(W == warp_size && !std::same_as<Warp, thread>) {
    return value_;
  }

 private:
  T value_;
};

}  // namespace dolmen::cuda
