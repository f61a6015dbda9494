#include "stream.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../../core/clock.hpp"
#include "../../core/emulation/machine.hpp"
#include "../../core/host_memory.hpp"
#include "../../core/pool/ordering.hpp"
#include "findings.hpp"
#include "fork.hpp"
#include "lent.hpp"
#include "memory.hpp"
#include "pinned.hpp"
#include "sites.hpp"
#include "window.hpp"

namespace dolmen::check {

using dolmen::detail::counted;
using dolmen::detail::order_record;
using dolmen::detail::require;
using dolmen::detail::stream_order;
using dolmen::detail::with_host_memory;

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

}  // namespace

struct stream_state {
  dolmen::detail::order_handle order = std::make_shared<stream_order>();
  dolmen::detail::reference_count references{};
};

void retain(stream_state* state) noexcept { state->references.add(); }
void release(stream_state* state) noexcept {
  if (!state->references.drop()) return;
  state->order->finish();  // the last handle waits for the stream's work
  delete state;
  try {
    impl::return_pinned();
    impl::return_lent();
  } catch (...) {  // a report that does not fit in memory is lost
  }
}

stream::stream(device, source_location where) : state_(with_host_memory("stream", where, [] { return new stream_state; })) {
  with_host_memory("stream", where, [&] {
    auto& k = known();
    std::lock_guard const lock(k.mutex);
    std::erase_if(k.all, [](auto const& w) { return w.expired(); });
    k.all.push_back(order());
  });
}

dolmen::detail::order_handle const& stream::order() const noexcept { return state_ ? state_->order : dolmen::detail::no_order(); }

void stream::require_valid(char const* operation, source_location where) const { dolmen::detail::require_stream(*this, operation, where); }

void stream::synchronize(source_location where) const {
  require_valid("synchronize", where);
  order()->complete_here();
  impl::return_pinned();
  with_host_memory("synchronize", where, [] { impl::return_lent(); });
  impl::flush();
}

bool stream::query(source_location where) const {
  require_valid("query", where);
  order()->complete_here();  // the work was done at once, and the program knows it now
  impl::return_pinned();
  with_host_memory("query", where, [] { impl::return_lent(); });
  return true;
}

void stream::wait(event const& e, source_location where) const {
  require_valid("wait", where);
  e.require_valid("wait", where);
  with_host_memory("wait", where, [&] { order()->join(seen_by(e.seen_)); });
}

device stream::get_device(source_location where) const {
  require_valid("get_device", where);
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
  s.require_valid("record", where);
  seen_ = with_host_memory("record", where, [&] { return counted<order_record>(new order_record{s.order()->snapshot()}); });
  time_ = dolmen::detail::steady_nanoseconds();
}

namespace {
void complete_event(counted<order_record> const& seen, char const* call, source_location where) {
  stream_order::complete(seen_by(seen));
  impl::return_pinned();
  with_host_memory(call, where, [] { impl::return_lent(); });
}
}  // namespace

bool event::query(source_location where) const {
  require_valid("query", where);
  complete_event(seen_, "query", where);  // the work was done at once, and the program knows it now
  return true;
}

void event::wait(source_location where) const {
  require_valid("wait", where);
  complete_event(seen_, "wait", where);
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

device::device(int index, source_location where) {
  require(index == 0, where, "check: device ", index, " does not exist, there is only device 0");
}

device_properties device::properties(source_location where) const {
  return with_host_memory("properties", where, [] { return emulation::machine_properties("check"); });
}

void device::synchronize(source_location where) const {
  auto& k = with_host_memory(
      "synchronize", where, []() -> auto& { return known(); });
  std::lock_guard const lock(k.mutex);
  for (auto const& w : k.all)
    if (auto const order = w.lock()) order->complete_here();
  impl::return_pinned();
  with_host_memory("synchronize", where, [] { impl::return_lent(); });
  impl::flush();
}

pool_statistics device::pool(source_location where) const {
  auto& w = with_host_memory(
      "pool", where, []() -> auto& { return impl::window::get(); });
  return {index_t(w.pooled()), index_t(w.pooled()), index_t(w.peak())};
}
void device::reset_pool_peak(source_location where) const {
  with_host_memory("reset_pool_peak", where, [] { impl::window::get().reset_peak(); });
}

}  // namespace dolmen::check
