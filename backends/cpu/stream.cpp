#include "stream.hpp"

#include <memory>
#include <utility>

#include "../../core/clock.hpp"
#include "../../core/host_memory.hpp"
#include "../../core/pool/ordering.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

using dolmen::detail::counted;
using dolmen::detail::order_record;
using dolmen::detail::require;
using dolmen::detail::require_stream;
using dolmen::detail::stream_order;
using dolmen::detail::with_host_memory;

struct stream_state {
  dolmen::detail::order_handle order = std::make_shared<stream_order>();
  dolmen::detail::reference_count references{};
};

void retain(stream_state* state) noexcept { state->references.add(); }
void release(stream_state* state) noexcept {
  if (!state->references.drop()) return;
  state->order->finish();
  delete state;
}

stream::stream(device, source_location where) : state_(with_host_memory("stream", where, [] { return new stream_state; })) {}

dolmen::detail::order_handle const& stream::order() const noexcept { return state_ ? state_->order : dolmen::detail::no_order(); }

void stream::synchronize(source_location where) const {
  require_stream(*this, "synchronize", where);
  order()->complete_here();
}

bool stream::query(source_location where) const {
  require_stream(*this, "query", where);
  return true;
}

void stream::wait(event const& e, source_location where) const {
  require_stream(*this, "wait", where);
  e.require_valid("wait", where);
  with_host_memory("wait", where, [&] { order()->join(seen_by(e.seen_)); });
}

device stream::get_device(source_location where) const {
  require_stream(*this, "get_device", where);
  return device();
}

event::event(event&& other) noexcept
    : kind_(other.kind_), moved_from_(std::exchange(other.moved_from_, true)), time_(other.time_), seen_(std::move(other.seen_)) {}

event& event::operator=(event&& other) noexcept {
  if (this == &other) return *this;
  kind_ = other.kind_;
  moved_from_ = std::exchange(other.moved_from_, true);
  time_ = other.time_;
  seen_ = std::move(other.seen_);
  return *this;
}

void event::require_valid(char const* call, source_location where) const {
  if (moved_from_) backend::refuse_handle(call, dolmen::detail::no_event, where);
}

void event::record(stream const& s, source_location where) {
  require_valid("record", where);
  require_stream(s, "record", where);
  seen_ = with_host_memory("record", where, [&] { return counted<order_record>(new order_record{s.order()->snapshot()}); });
  time_ = dolmen::detail::steady_nanoseconds();
}

bool event::query(source_location where) const {
  require_valid("query", where);
  return true;
}

void event::wait(source_location where) const {
  require_valid("wait", where);
  stream_order::complete(seen_by(seen_));
}

double elapsed(event const& first, event const& second, source_location where) {
  first.require_valid("elapsed", where);
  second.require_valid("elapsed", where);
  require(first.kind_ == timing::enabled && second.kind_ == timing::enabled, where, "elapsed: the ",
          first.kind_ == timing::enabled ? "second" : "first", " event was made without timing");
  require(first.seen_ || second.seen_, where, "elapsed: neither event was recorded");
  require(first.seen_ && second.seen_, where, "elapsed: the ", first.seen_ ? "second" : "first", " event was not recorded");
  return double(second.time_ - first.time_) * 1e-9;
}

}  // namespace dolmen::cpu
