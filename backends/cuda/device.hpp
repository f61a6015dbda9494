// NVIDIA GPUs as devices. No header of the CUDA toolkit is needed to use them.
#pragma once

#include "../../core/stream.hpp"

namespace dolmen::cuda {

/// One GPU, by its number in CUDA's enumeration.
class DOLMEN_API device {
 public:
  /// Throws backend_unavailable, saying why, where there is no GPU or no usable driver; invalid_argument for a number that
  /// no GPU has.
  explicit device(int index = 0, source_location where = source_location::current());

  /// 0 without a GPU or driver; never throws.
  static int count() noexcept;
  int index() const noexcept { return index_; }
  device_properties properties(source_location where = source_location::current()) const;
  /// Waits for all work of the device. Throws device_error if some of it failed.
  void synchronize(source_location where = source_location::current()) const;

  pool_statistics pool(source_location where = source_location::current()) const;
  void reset_pool_peak(source_location where = source_location::current()) const;
  /// Gives unused pool memory back to the device; waits for its work.
  void trim_pool(source_location where = source_location::current()) const;

  friend bool operator==(device const&, device const&) noexcept = default;

 private:
  friend class stream;
  struct known {};  // no need to ask whether it exists
  device(known, int index) noexcept : index_(index) {}

  int index_;
};

}  // namespace dolmen::cuda
