// Streams and events of the CPU: operations complete before the call that gives them returns.
#pragma once

#include <cstddef>
#include <optional>

#include "../../core/ordering.hpp"
#include "device.hpp"

namespace dolmen::cpu {

struct backend;
class event;

/// Runs in order on the calling thread and Kokkos' cores. Several host threads may use one stream.
class DOLMEN_API stream {
 public:
  using backend = cpu::backend;

  explicit stream(device d = device());
  /// Refers to no stream; only to be assigned to.
  explicit stream(std::nullptr_t) noexcept {}

  void synchronize() const noexcept;
  bool query() const noexcept { return true; }
  void wait(event const& e) const;
  device get_device() const { return device(); }

  /// The stream's place in the order that the pool obeys.
  std::shared_ptr<dolmen::detail::stream_order> const& order() const noexcept { return order_; }

  friend bool operator==(stream const& a, stream const& b) noexcept { return a.order_ == b.order_; }

 private:
  struct owner;
  std::shared_ptr<dolmen::detail::stream_order> order_;
  std::shared_ptr<owner> owner_;  // ends the stream with its last handle or buffer
};

/// A place in a stream; see event_type. Move-only.
class DOLMEN_API event {
 public:
  explicit event(timing kind = timing::enabled) noexcept : kind_(kind) {}
  event(event&&) noexcept = default;
  event& operator=(event&&) noexcept = default;

  void record(stream const& s);
  bool query() const noexcept { return true; }
  void wait() const noexcept;

  /// Seconds from the first record to the second.
  friend DOLMEN_API double elapsed(event const& first, event const& second, source_location where);

 private:
  friend class stream;
  timing kind_;
  std::optional<index_t> time_;  // in nanoseconds
  dolmen::detail::order_snapshot seen_;
};

DOLMEN_API double elapsed(event const& first, event const& second, source_location where = source_location::current());

}  // namespace dolmen::cpu
