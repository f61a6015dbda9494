#include "stream.hpp"

#include "../../core/clock.hpp"

namespace dolmen::cpu {

using dolmen::detail::require;
using dolmen::detail::stream_order;

struct stream::owner {
  std::shared_ptr<stream_order> order;
  explicit owner(std::shared_ptr<stream_order> o) : order(std::move(o)) {}
  owner(owner const&) = delete;
  ~owner() { order->finish(); }
};

stream::stream(device) : order_(std::make_shared<stream_order>()), owner_(std::make_shared<owner>(order_)) {}

void stream::synchronize() const noexcept { stream_order::complete(order_->snapshot()); }

void stream::wait(event const& e) const { order_->join(e.seen_); }

void event::record(stream const& s) {
  seen_ = s.order()->snapshot();
  time_ = dolmen::detail::steady_nanoseconds();
}

void event::wait() const noexcept { stream_order::complete(seen_); }

double elapsed(event const& first, event const& second, source_location where) {
  require(first.kind_ == timing::enabled && second.kind_ == timing::enabled, where, "elapsed: the ",
          first.kind_ == timing::enabled ? "second" : "first", " event was made without timing");
  require(first.time_ || second.time_, where, "elapsed: neither event was recorded");
  require(first.time_ && second.time_, where, "elapsed: the ", first.time_ ? "second" : "first", " event was not recorded");
  return double(*second.time_ - *first.time_) * 1e-9;
}

}  // namespace dolmen::cpu
