#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "../../core/host_memory.hpp"
#include "../../core/pool/ordering.hpp"
#include "memory.hpp"
#include "runtime.hpp"

namespace dolmen::cuda {

using dolmen::detail::counted;
using dolmen::detail::order_record;
using dolmen::detail::require;
using dolmen::detail::require_stream;
using dolmen::detail::stream_order;
using dolmen::detail::with_host_memory;
using impl::check;
using impl::device_guard;

static_assert(stream_type<stream>);
static_assert(event_type<event>);
static_assert(device_type<device>);

namespace {

// "Not ready" is an answer here; left in CUDA's record, it would be taken for an error of the caller's next launch.
bool not_ready(cudaError_t status) {
  if (status != cudaErrorNotReady) return false;
  cudaGetLastError();
  return true;
}

// One place in the order per native stream, however often it is wrapped: CUDA's ids of streams are never used twice.
std::shared_ptr<stream_order> order_of(CUstream_st* native, source_location where) {
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::map<unsigned long long, std::weak_ptr<stream_order>>;
  unsigned long long id = 0;
  check(cudaStreamGetId(native, &id), "wrap", where);
  return with_host_memory("wrap", where, [&] {
    std::lock_guard lock(mutex);
    std::erase_if(known, [](auto const& entry) { return entry.second.expired(); });
    auto order = known[id].lock();
    if (!order) known[id] = order = std::make_shared<stream_order>();
    return order;
  });
}

}  // namespace

struct stream_state {
  dolmen::detail::order_handle order;
  int device;
  CUstream_st* own = nullptr;  // null for one that was wrapped
  dolmen::detail::reference_count references{};

  // At exit CUDA may already be gone.
  ~stream_state() {
    if (!own || impl::forked()) return;
    int before = 0;
    bool const current = cudaGetDevice(&before) == cudaSuccess && cudaSetDevice(device) == cudaSuccess;
    bool const finished = cudaStreamSynchronize(own) == cudaSuccess;
    cudaStreamDestroy(own);
    if (current) cudaSetDevice(before);
    if (finished) order->finish();
  }
};

void retain(stream_state* state) noexcept { state->references.add(); }
void release(stream_state* state) noexcept {
  if (state->references.drop()) delete state;
}

stream::stream(cuda::device d, source_location where)
    : device_(d.index()), state_(with_host_memory("stream", where, [&] {
        return new stream_state{std::make_shared<stream_order>(), device_};
      })) {
  impl::require_running("stream", where);
  device_guard guard(device_, where);
  check(cudaStreamCreateWithFlags(&native_, cudaStreamNonBlocking), "stream", where);
  state_->own = native_;
}

bool stream::owned() const noexcept { return state_ && state_->own; }

dolmen::detail::order_handle const& stream::order() const noexcept { return state_ ? state_->order : dolmen::detail::no_order(); }

stream stream::wrap(CUstream_st* native, cuda::device d, source_location where) {
  stream s(nullptr);
  s.native_ = native;
  s.device_ = d.index();
  device_guard guard(s.device_, where);
  auto const order = order_of(native, where);
  s.state_ = counted<stream_state>(with_host_memory("wrap", where, [&] { return new stream_state{order, s.device_}; }));
  return s;
}

void stream::synchronize(source_location where) const {
  require_stream(*this, "synchronize", where);
  auto const before = with_host_memory("synchronize", where, [&] { return order()->snapshot(); });
  device_guard guard(device_, where);
  check(cudaStreamSynchronize(native_), "synchronize", where);
  stream_order::complete(before);
}

bool stream::query(source_location where) const {
  require_stream(*this, "query", where);
  auto const before = with_host_memory("query", where, [&] { return order()->snapshot(); });
  device_guard guard(device_, where);
  cudaError_t const status = cudaStreamQuery(native_);
  if (not_ready(status)) return false;
  check(status, "query", where);
  stream_order::complete(before);
  return true;
}

void stream::wait(event const& e, source_location where) const {
  require_stream(*this, "wait", where);
  e.require_valid("wait", where);
  if (!e.native_) return;
  device_guard guard(device_, where);
  check(cudaStreamWaitEvent(native_, e.native_, 0), "wait", where);
  with_host_memory("wait", where, [&] { order()->join(seen_by(e.seen_)); });
}

device stream::get_device(source_location where) const {
  require_stream(*this, "get_device", where);
  return cuda::device(cuda::device::known{}, device_);
}

void event::require_valid(char const* call, source_location where) const {
  if (moved_from_) backend::refuse_handle(call, dolmen::detail::no_event, where);
}

event::event(event&& other) noexcept
    : kind_(other.kind_),
      moved_from_(std::exchange(other.moved_from_, true)),
      device_(other.device_),
      native_(std::exchange(other.native_, nullptr)),
      seen_(std::move(other.seen_)) {}

event& event::operator=(event&& other) noexcept {
  if (this != &other) {
    destroy();
    kind_ = other.kind_;
    moved_from_ = std::exchange(other.moved_from_, true);
    device_ = other.device_;
    native_ = std::exchange(other.native_, nullptr);
    seen_ = std::move(other.seen_);
  }
  return *this;
}

event::~event() { destroy(); }

void event::destroy() noexcept {
  if (native_) cudaEventDestroy(native_);
  native_ = nullptr;
}

void event::record(stream const& s, source_location where) {
  require_valid("record", where);
  require_stream(s, "record", where);
  device_guard guard(s.device_index(), where);
  if (device_ != s.device_index()) {
    destroy();
    device_ = s.device_index();
  }
  if (!native_)
    check(cudaEventCreateWithFlags(&native_, kind_ == timing::enabled ? cudaEventDefault : cudaEventDisableTiming), "event", where);
  // In a capture nothing runs: whoever waits for this event waits inside the graph, and is not ordered after the stream.
  auto seen = impl::capturing(s)
                  ? counted<order_record>()
                  : with_host_memory("record", where, [&] { return counted<order_record>(new order_record{s.order()->snapshot()}); });
  check(cudaEventRecord(native_, s.native()), "record", where);
  seen_ = std::move(seen);
}

bool event::query(source_location where) const {
  require_valid("query", where);
  if (!native_) return true;
  cudaError_t const status = cudaEventQuery(native_);
  if (not_ready(status)) return false;
  check(status, "query", where);
  stream_order::complete(seen_by(seen_));
  return true;
}

void event::wait(source_location where) const {
  require_valid("wait", where);
  if (!native_) return;
  check(cudaEventSynchronize(native_), "wait", where);
  stream_order::complete(seen_by(seen_));
}

double elapsed(event const& first, event const& second, source_location where) {
  first.require_valid("elapsed", where);
  second.require_valid("elapsed", where);
  require(first.kind_ == timing::enabled && second.kind_ == timing::enabled, where, "elapsed: the ",
          first.kind_ == timing::enabled ? "second" : "first", " event was made without timing");
  require(first.native_ || second.native_, where, "elapsed: neither event was recorded");
  require(first.native_ && second.native_, where, "elapsed: the ", first.native_ ? "second" : "first", " event was not recorded");
  require(first.query(where) && second.query(where), where, "elapsed: the ", first.query(where) ? "second" : "first",
          " event is not finished; wait for it first");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, first.native_, second.native_), "elapsed", where);
  return 1e-3 * double(milliseconds);
}

}  // namespace dolmen::cuda
