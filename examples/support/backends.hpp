// For the examples: calls a body once for every backend of this program that has a device here.
#pragma once

#include <cstdio>
#include <dolmen/dolmen.hpp>
#include <exception>

namespace example {

/// body.operator()<Backend>() returns whether its results were right; what it throws counts as wrong.
template <class Backend, class Body>
bool on_backend(Body const& body) {
  try {
    return body(Backend());
  } catch (std::exception const& failure) {
    std::printf("%s: %s\n", Backend::name, failure.what());
    return false;
  }
}

/// Calls body(backend) for each backend; its type names the stream, event and device to use. Returns the exit status of the
/// program: 0 when every call returned true.
template <class Body>
int on_every_backend(Body const& body) {
  bool right = true;
#if DOLMEN_HAS_CUDA
  try {
    dolmen::cuda::device const first_gpu;
    right = on_backend<dolmen::cuda::backend>(body) && right;
  } catch (dolmen::backend_unavailable const& why) {
    std::printf("%s\nThis run uses the CPU.\n", why.what());
  }
#endif
#if DOLMEN_HAS_CPU
  right = on_backend<dolmen::cpu::backend>(body) && right;
#endif
#if DOLMEN_HAS_CHECK
  right = on_backend<dolmen::check::backend>(body) && right;
#endif
  return right ? 0 : 1;
}

}  // namespace example
