#include "stream.hpp"

#include "../../core/clock.hpp"

#include <mutex>
#include <vector>

#include "../../core/emulation/machine.hpp"
#include "findings.hpp"
#include "pinned.hpp"
#include "sites.hpp"
#include "window.hpp"

namespace dolmen::check {

using dolmen::detail::require;
using dolmen::detail::stream_order;

namespace {

// All streams, for device::synchronize.
struct streams {
  std::mutex mutex;
  std::vector<std::weak_ptr<stream_order>> all;
};
streams& known() {
  static streams& only = *new streams;
  return only;
}

void host_waited_for(dolmen::detail::order_snapshot const& what) {
  stream_order::complete(what);
  impl::return_pinned();
}

}  // namespace

struct stream::owner {
  std::shared_ptr<stream_order> order;
  explicit owner(std::shared_ptr<stream_order> o) : order(std::move(o)) {}
  owner(owner const&) = delete;
  ~owner() { order->finish(); }
};

stream::stream(device) : order_(std::make_shared<stream_order>()), owner_(std::make_shared<owner>(order_)) {
  auto& k = known();
  std::lock_guard const lock(k.mutex);
  std::erase_if(k.all, [](auto const& w) { return w.expired(); });
  k.all.push_back(order_);
}

void stream::require_valid(char const* operation, source_location where) const {
  if (order_) return;
  finding f;
  f.what = kind::bad_handle;
  f.kernel = operation;
  f.element = "the stream is null or was moved from";
  f.first = impl::place_of(impl::site_of(where));
  impl::report(std::move(f));
  impl::flush();
  throw invalid_argument(dolmen::detail::text(operation, ": the stream is null or was moved from"), where);
}

void stream::synchronize(source_location where) const {
  require_valid("synchronize", where);
  host_waited_for(order_->snapshot());
  impl::flush();
}

bool stream::query(source_location where) const {
  require_valid("query", where);
  host_waited_for(order_->snapshot());  // the work was done at once, and the program knows it now
  return true;
}

void stream::wait(event const& e, source_location where) const {
  require_valid("wait", where);
  order_->join(e.seen_);
}

void event::record(stream const& s, source_location where) {
  s.require_valid("record", where);
  seen_ = s.order()->snapshot();
  time_ = dolmen::detail::steady_nanoseconds();
}

void event::wait() const { host_waited_for(seen_); }

double elapsed(event const& first, event const& second, source_location where) {
  require(first.kind_ == timing::enabled && second.kind_ == timing::enabled, where, "elapsed: the ",
          first.kind_ == timing::enabled ? "second" : "first", " event was made without timing");
  require(first.time_ || second.time_, where, "elapsed: neither event was recorded");
  require(first.time_ && second.time_, where, "elapsed: the ", first.time_ ? "second" : "first", " event was not recorded");
  return double(*second.time_ - *first.time_) * 1e-9;
}

device::device(int index, source_location where) {
  require(index == 0, where, "check: device ", index, " does not exist, there is only device 0");
}

device_properties device::properties() const { return emulation::machine_properties("check"); }

void device::synchronize() const {
  auto& k = known();
  std::lock_guard const lock(k.mutex);
  for (auto const& w : k.all)
    if (auto const order = w.lock()) stream_order::complete(order->snapshot());
  impl::return_pinned();
  impl::flush();
}

pool_statistics device::pool() const {
  auto& w = impl::window::get();
  return {index_t(w.pooled()), index_t(w.pooled()), index_t(w.peak())};
}
void device::reset_pool_peak() const { impl::window::get().reset_peak(); }

}  // namespace dolmen::check
