// The CUDA backend: its handle types and its memory.
#pragma once

#include "stream.hpp"

namespace dolmen::cuda {

/// NVIDIA GPUs by CUDA.
struct DOLMEN_API backend {
  using stream = cuda::stream;
  using event = cuda::event;
  using device = cuda::device;
  static constexpr char const* name = "cuda";

  static dolmen::detail::allocation allocate(stream const& s, std::size_t bytes, memory kind, source_location where);
  static void release(dolmen::detail::allocation const& a, stream const& s) noexcept;
  static void* allocate_pinned(std::size_t bytes, source_location where);
  static void release_pinned(void* data) noexcept;
  /// Throws invalid_argument: a call was given a handle that refers to nothing.
  [[noreturn]] static void refuse_handle(char const* call, char const* what, source_location where);
};

namespace impl {
/// A device's pool. It is never destroyed, so that buffers in static variables can be freed at exit.
dolmen::detail::memory_pool& pool(int device);
}  // namespace impl

}  // namespace dolmen::cuda
