// One backend during a run: its device, its stream, its clock, its ceilings.
#pragma once

#include <dolmen/core/device.hpp>
#include <memory>
#include <optional>

#include "registry.hpp"

namespace study {

/// The fastest that own plain kernels moved data in memory, bytes/s.
struct ceilings {
  double read = 0, write = 0, copy = 0, triad = 0;
  index_t array_bytes = 0;
  /// For a kind of traffic; nothing for those without a ceiling.
  std::optional<double> of(traffic kind) const;
};

class session {
 public:
  virtual ~session() = default;
  virtual dolmen::device_properties const& properties() const = 0;
  /// Bytes of the cache in front of memory; 0 if unknown.
  index_t last_cache_bytes() const;
  /// Threads of the host that a run is shared out to; empty on a device that has its own.
  virtual std::optional<int> threads() const = 0;
  /// Bytes of device memory that a case may use.
  virtual index_t usable_bytes() const = 0;
  virtual ceilings measure_ceilings() = 0;
  /// Seconds that `runs` runs of a variant take together.
  virtual double seconds(workspace& w, int variant, index_t runs, clock_kind clock) = 0;
  /// The smallest step of the device's clock, seconds.
  virtual double clock_resolution() const = 0;
};

/// A backend of this build.
struct backend_entry {
  std::string name;
  /// Throws dolmen::backend_unavailable, which says why.
  std::unique_ptr<session> (*open)();
  /// All its devices; throws like open where there is none.
  std::vector<dolmen::device_properties> (*devices)();
};
std::vector<backend_entry> const& built_backends();

/// What an exception says, without the line of the study's own source that dolmen's errors end in.
std::string reason_text(std::exception const& e);

/// The host's memory that is free now, bytes.
index_t free_host_bytes();

/// The session of backend B: what workspaces of B are made in.
template <class B>
class session_of : public session {
 public:
  virtual typename B::stream const& stream() const = 0;
};

}  // namespace study
