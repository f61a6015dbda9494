#include "stream.hpp"

#include <memory>
#include <mutex>
#include <vector>

#include "../../core/clock.hpp"
#include "../../core/emulation/machine.hpp"
#include "../../core/pool/ordering.hpp"
#include "findings.hpp"
#include "fork.hpp"
#include "pinned.hpp"
#include "sites.hpp"
#include "window.hpp"

namespace dolmen::check {

using dolmen::detail::counted;
using dolmen::detail::order_record;
using dolmen::detail::require;
using dolmen::detail::stream_order;

namespace {

// All streams, for device::synchronize.
struct streams {
  std::mutex mutex;
  std::vector<std::weak_ptr<stream_order>> all;
};
streams& known() {
  static streams& only = impl::table_across_forks<streams>();
  return only;
}

void host_waited_for(dolmen::detail::order_snapshot const& what) {
  stream_order::complete(what);
  impl::return_pinned();
}

}  // namespace

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

stream::stream(device) : state_(new stream_state) {
  auto& k = known();
  std::lock_guard const lock(k.mutex);
  std::erase_if(k.all, [](auto const& w) { return w.expired(); });
  k.all.push_back(order());
}

dolmen::detail::order_handle const& stream::order() const noexcept { return state_ ? state_->order : dolmen::detail::no_order(); }

void stream::require_valid(char const* operation, source_location where) const {
  if (state_) return;
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
  host_waited_for(order()->snapshot());
  impl::flush();
}

bool stream::query(source_location where) const {
  require_valid("query", where);
  host_waited_for(order()->snapshot());  // the work was done at once, and the program knows it now
  return true;
}

void stream::wait(event const& e, source_location where) const {
  require_valid("wait", where);
  order()->join(seen_by(e.seen_));
}

void event::record(stream const& s, source_location where) {
  s.require_valid("record", where);
  seen_ = counted<order_record>(new order_record{s.order()->snapshot()});
  time_ = dolmen::detail::steady_nanoseconds();
}

void event::wait() const { host_waited_for(seen_by(seen_)); }

double elapsed(event const& first, event const& second, source_location where) {
  require(first.kind_ == timing::enabled && second.kind_ == timing::enabled, where, "elapsed: the ",
          first.kind_ == timing::enabled ? "second" : "first", " event was made without timing");
  require(first.seen_ || second.seen_, where, "elapsed: neither event was recorded");
  require(first.seen_ && second.seen_, where, "elapsed: the ", first.seen_ ? "second" : "first", " event was not recorded");
  return double(second.time_ - first.time_) * 1e-9;
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
