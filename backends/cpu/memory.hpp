// The CPU backend: its handle types and its memory.
#pragma once

#include "stream.hpp"

namespace dolmen::cpu {

/// Kokkos/OpenMP on the machine's cores.
struct DOLMEN_API backend {
  using stream = cpu::stream;
  using event = cpu::event;
  using device = cpu::device;
  static constexpr char const* name = "cpu";

  static dolmen::detail::allocation allocate(stream const& s, std::size_t bytes, memory kind, source_location where);
  static void release(dolmen::detail::allocation const& a, stream const& s) noexcept;
  static void* allocate_pinned(std::size_t bytes, source_location where);
  static void release_pinned(void* data) noexcept;
  /// Throws invalid_argument: a call was given a handle that refers to nothing.
  [[noreturn]] static void refuse_handle(char const* call, char const* what, source_location where);
};

namespace impl {
/// The device's pool. It is never destroyed, so that buffers in static variables can be freed at exit.
dolmen::detail::memory_pool& pool();
}  // namespace impl

}  // namespace dolmen::cpu
