// CUDA streams and events, without a header of the toolkit: cudaStream_t is a pointer to CUstream_st.
#pragma once

#include "../../core/order_handle.hpp"
#include "device.hpp"

struct CUstream_st;
struct CUevent_st;

namespace dolmen::cuda {

struct backend;
class event;

/// A stream's place in the order; ends an own stream, after its work, with the last handle or buffer.
struct stream_state;
DOLMEN_API void retain(stream_state* state) noexcept;
DOLMEN_API void release(stream_state* state) noexcept;

/// A handle to a CUDA stream. It is created non-blocking: the legacy default stream does not serialise with it.
class DOLMEN_API stream {
 public:
  using backend = cuda::backend;

  /// Throws backend_unavailable where there is no GPU.
  explicit stream(device d = device(), source_location where = source_location::current());
  /// Refers to no stream; only to be assigned to.
  explicit stream(std::nullptr_t) noexcept {}
  /// Uses a stream that somebody else owns and keeps alive. Memory freed on it serves others only after an event or a
  /// synchronize of this handle.
  static stream wrap(CUstream_st* native, device d = device(), source_location where = source_location::current());

  /// Throws device_error if work of the stream failed.
  void synchronize(source_location where = source_location::current()) const;
  bool query(source_location where = source_location::current()) const;
  void wait(event const& e, source_location where = source_location::current()) const;
  device get_device(source_location where = source_location::current()) const;
  int device_index() const noexcept { return device_; }
  /// False if this refers to no stream.
  explicit operator bool() const noexcept { return bool(state_); }

  /// The cudaStream_t, for CUDA's own functions and raw kernels. Throws for a handle to no stream, whose null pointer would
  /// name the legacy default stream.
  CUstream_st* native(source_location where = source_location::current()) const {
    dolmen::detail::require(bool(state_), where, "native: ", dolmen::detail::no_stream);
    return native_;
  }
  /// False for one that was wrapped: somebody else ends it.
  bool owned() const noexcept;
  /// The stream's place in the order that the pool obeys.
  dolmen::detail::order_handle const& order() const noexcept;

  friend bool operator==(stream const& a, stream const& b) noexcept {
    return bool(a) == bool(b) && (!a || (a.native_ == b.native_ && a.device_ == b.device_));
  }

 private:
  CUstream_st* native_ = nullptr;
  int device_ = 0;
  dolmen::detail::counted<stream_state> state_;
};

/// A place in a stream; see event_type. Move-only.
class DOLMEN_API event {
 public:
  explicit event(timing kind = timing::enabled) noexcept : kind_(kind) {}
  event(event&& other) noexcept;
  event& operator=(event&& other) noexcept;
  ~event();

  void record(stream const& s, source_location where = source_location::current());
  bool query(source_location where = source_location::current()) const;
  void wait(source_location where = source_location::current()) const;

  /// The cudaEvent_t; null before the first record and in one that was moved from.
  CUevent_st* native() const noexcept { return native_; }

  /// Seconds from the first record to the second, by the device's clock.
  friend DOLMEN_API double elapsed(event const& first, event const& second, source_location where);

 private:
  friend class stream;
  void destroy() noexcept;
  void require_valid(char const* call, source_location where) const;

  timing kind_;
  bool moved_from_ = false;
  int device_ = -1;
  CUevent_st* native_ = nullptr;
  dolmen::detail::counted<dolmen::detail::order_record> seen_;  // null where nothing ran, as in a capture
};

DOLMEN_API double elapsed(event const& first, event const& second, source_location where = source_location::current());

}  // namespace dolmen::cuda
