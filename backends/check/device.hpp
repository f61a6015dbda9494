// The device of the check backend: this process.
#pragma once

#include "../../core/stream.hpp"

namespace dolmen::check {

/// There is exactly one, device 0.
class DOLMEN_API device {
 public:
  /// Throws invalid_argument for any index but 0.
  explicit device(int index = 0, source_location where = source_location::current());

  static int count() noexcept { return 1; }
  int index() const noexcept { return 0; }
  device_properties properties(source_location where = source_location::current()) const;
  /// The host has waited for all streams.
  void synchronize(source_location where = source_location::current()) const;

  pool_statistics pool(source_location where = source_location::current()) const;
  void reset_pool_peak(source_location where = source_location::current()) const;
  void trim_pool() const {}

  friend bool operator==(device const&, device const&) noexcept { return true; }
};

}  // namespace dolmen::check
