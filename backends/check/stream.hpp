// Streams and events of the check backend. Operations happen at once; what orders them is kept beside, and operations on
// the same bytes that nothing orders are reported, although these happened to run in a harmless order.
#pragma once

#include "../../core/order_handle.hpp"
#include "device.hpp"

namespace dolmen::check {

struct backend;
class event;

/// A stream's place in the order, which ends with the last handle or buffer.
struct stream_state;
DOLMEN_API void retain(stream_state* state) noexcept;
DOLMEN_API void release(stream_state* state) noexcept;

class DOLMEN_API stream {
 public:
  using backend = check::backend;

  explicit stream(device d = device(), source_location where = source_location::current());
  /// Refers to no stream; only to be assigned to.
  explicit stream(std::nullptr_t) noexcept {}

  void synchronize(source_location where = source_location::current()) const;
  bool query(source_location where = source_location::current()) const;
  void wait(event const& e, source_location where = source_location::current()) const;
  device get_device(source_location where = source_location::current()) const;
  /// False if this refers to no stream.
  explicit operator bool() const noexcept { return bool(state_); }

  /// Null if this refers to no stream.
  dolmen::detail::order_handle const& order() const noexcept;
  /// Reports, and throws invalid_argument, if this refers to no stream.
  void require_valid(char const* operation, source_location where) const;

  friend bool operator==(stream const& a, stream const& b) noexcept { return a.state_ == b.state_; }

 private:
  dolmen::detail::counted<stream_state> state_;
};

/// A place in a stream; see event_type. Move-only.
class DOLMEN_API event {
 public:
  explicit event(timing kind = timing::enabled) noexcept : kind_(kind) {}
  event(event&& other) noexcept;
  event& operator=(event&& other) noexcept;

  void record(stream const& s, source_location where = source_location::current());
  bool query(source_location where = source_location::current()) const;
  void wait(source_location where = source_location::current()) const;

  friend DOLMEN_API double elapsed(event const& first, event const& second, source_location where);

 private:
  friend class stream;
  void require_valid(char const* call, source_location where) const;

  timing kind_;
  bool moved_from_ = false;
  index_t time_ = 0;                                            // in nanoseconds
  dolmen::detail::counted<dolmen::detail::order_record> seen_;  // null before the first record
};

DOLMEN_API double elapsed(event const& first, event const& second, source_location where = source_location::current());

}  // namespace dolmen::check
