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
  device_properties properties() const;
  /// The host has waited for all streams.
  void synchronize() const;

  pool_statistics pool() const;
  void reset_pool_peak() const;
  void trim_pool() const {}

  friend bool operator==(device const&, device const&) noexcept { return true; }
};

}  // namespace dolmen::check
