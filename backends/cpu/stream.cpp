#include "stream.hpp"

#include <memory>

#include "../../core/clock.hpp"
#include "../../core/pool/ordering.hpp"

namespace dolmen::cpu {

using dolmen::detail::counted;
using dolmen::detail::order_record;
using dolmen::detail::require;
using dolmen::detail::stream_order;

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

stream::stream(device) : state_(new stream_state) {}

dolmen::detail::order_handle const& stream::order() const noexcept { return state_ ? state_->order : dolmen::detail::no_order(); }

void stream::synchronize() const noexcept { stream_order::complete(order()->snapshot()); }

void stream::wait(event const& e) const { order()->join(seen_by(e.seen_)); }

void event::record(stream const& s) {
  seen_ = counted<order_record>(new order_record{s.order()->snapshot()});
  time_ = dolmen::detail::steady_nanoseconds();
}

void event::wait() const noexcept { stream_order::complete(seen_by(seen_)); }

double elapsed(event const& first, event const& second, source_location where) {
  require(first.kind_ == timing::enabled && second.kind_ == timing::enabled, where, "elapsed: the ",
          first.kind_ == timing::enabled ? "second" : "first", " event was made without timing");
  require(first.seen_ || second.seen_, where, "elapsed: neither event was recorded");
  require(first.seen_ && second.seen_, where, "elapsed: the ", first.seen_ ? "second" : "first", " event was not recorded");
  return double(second.time_ - first.time_) * 1e-9;
}

}  // namespace dolmen::cpu
