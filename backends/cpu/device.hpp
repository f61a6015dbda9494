// The CPU as a device.
#pragma once

#include "../../core/stream.hpp"

namespace dolmen::cpu {

/// The machine's cores. There is exactly one, device 0.
class DOLMEN_API device {
 public:
  /// Throws invalid_argument for any index but 0.
  explicit device(int index = 0, source_location where = source_location::current());

  static int count() noexcept { return 1; }
  int index() const noexcept { return 0; }
  device_properties properties(source_location where = source_location::current()) const;
  /// All work on the CPU is complete when the call that gave it returns.
  void synchronize() const noexcept {}

  pool_statistics pool(source_location where = source_location::current()) const;
  void reset_pool_peak(source_location where = source_location::current()) const;
  /// Gives unused pool memory back to the system.
  void trim_pool(source_location where = source_location::current()) const;

  friend bool operator==(device const&, device const&) noexcept { return true; }
};

}  // namespace dolmen::cpu
