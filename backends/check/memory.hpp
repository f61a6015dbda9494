// The check backend: its handle types and its memory.
#pragma once

#include "stream.hpp"

namespace dolmen::check {

/// Runs programs on the CPU and looks for mistakes; see findings.hpp.
struct DOLMEN_API backend {
  using stream = check::stream;
  using event = check::event;
  using device = check::device;
  static constexpr char const* name = "check";

  static dolmen::detail::allocation allocate(stream const& s, std::size_t bytes, memory kind, source_location where);
  static void release(dolmen::detail::allocation const& a, stream const& s) noexcept;
  static void* allocate_pinned(std::size_t bytes, source_location where);
  static void release_pinned(void* data) noexcept;
  /// As every backend's, and a finding.
  [[noreturn]] static void refuse_handle(char const* call, char const* what, source_location where);
};

}  // namespace dolmen::check
