// Streams and events of the check backend. Operations happen at once; what orders them is kept beside, and operations on
// the same bytes that nothing orders are reported, although these happened to run in a harmless order.
#pragma once

#include <optional>

#include "../../core/ordering.hpp"
#include "device.hpp"

namespace dolmen::check {

struct backend;
class event;

class DOLMEN_API stream {
 public:
  using backend = check::backend;

  explicit stream(device d = device());
  /// Refers to no stream; only to be assigned to.
  explicit stream(std::nullptr_t) noexcept {}

  void synchronize(source_location where = source_location::current()) const;
  bool query(source_location where = source_location::current()) const;
  void wait(event const& e, source_location where = source_location::current()) const;
  device get_device() const { return device(); }

  std::shared_ptr<dolmen::detail::stream_order> const& order() const noexcept { return order_; }
  /// Reports, and throws invalid_argument, if this refers to no stream.
  void require_valid(char const* operation, source_location where) const;

  friend bool operator==(stream const& a, stream const& b) noexcept { return a.order_ == b.order_; }

 private:
  struct owner;
  std::shared_ptr<dolmen::detail::stream_order> order_;
  std::shared_ptr<owner> owner_;
};

/// A place in a stream; see event_type. Move-only.
class DOLMEN_API event {
 public:
  explicit event(timing kind = timing::enabled) noexcept : kind_(kind) {}
  event(event&&) noexcept = default;
  event& operator=(event&&) noexcept = default;

  void record(stream const& s, source_location where = source_location::current());
  bool query() const noexcept { return true; }
  void wait() const;

  friend DOLMEN_API double elapsed(event const& first, event const& second, source_location where);

 private:
  friend class stream;
  timing kind_;
  std::optional<index_t> time_;  // in nanoseconds
  dolmen::detail::order_snapshot seen_;
};

DOLMEN_API double elapsed(event const& first, event const& second, source_location where = source_location::current());

}  // namespace dolmen::check
