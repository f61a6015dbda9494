// What a user hands to a reduction must be there for the GPU.
#pragma once

#include "../../algorithms/reducers.hpp"

namespace dolmen::cuda::impl::reduction {

// A user_reducer serves host and device, so nvcc does not look at what it calls. These calls are the device's alone: there a
// function that is not a DOLMEN_FN is an error, not an empty kernel. They are compiled, never made.

template <class F, class... X>
__device__ void call_on_device(F const& f, X const&... x) {
  static_cast<void>(f(x...));
}
template <class Predicate, class T>
__device__ void call_on_device(dolmen::detail::holds<Predicate> const& f, T const& x) {
  static_cast<void>(f.predicate(x));
}

template <class R>
__device__ __forceinline__ void require_device_functions() {}
template <class R>
requires dolmen::detail::is_user_reducer<R> __device__ __forceinline__ void require_device_functions() {
  using V = typename R::value;
  [[maybe_unused]] constexpr auto combine = &call_on_device<decltype(R::op), V, V>;
  if constexpr (std::same_as<typename R::second, dolmen::detail::no_input>) [[maybe_unused]]
    constexpr auto lift = static_cast<void (*)(decltype(R::transform) const&, typename R::first const&)>(&call_on_device);
  else [[maybe_unused]]
    constexpr auto lift = &call_on_device<decltype(R::transform), typename R::first, typename R::second>;
}

}  // namespace dolmen::cuda::impl::reduction
