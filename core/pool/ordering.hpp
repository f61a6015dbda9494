// Who runs after whom: vector clocks over streams, events and the host, so that the pool knows when memory that was
// freed on one stream may serve another.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../order_handle.hpp"
#include "../types.hpp"

namespace dolmen::detail {

class stream_order;

/// A position in one stream: everything up to its tick.
struct stream_point {
  std::shared_ptr<stream_order> stream;
  std::uint64_t tick;
};

/// A set of positions, at most one per stream.
using order_snapshot = std::vector<stream_point>;

/// One stream's place in the order. Ticks count what was freed on the stream. All members may be called from any thread.
class DOLMEN_API stream_order : public std::enable_shared_from_this<stream_order> {
 public:
  /// A new position of this stream.
  std::uint64_t advance() noexcept { return tick_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// What an event recorded now stands for: this stream so far, and all that it waited for.
  order_snapshot snapshot() const;
  /// This stream now runs after everything in the snapshot.
  void join(order_snapshot const& snapshot);
  /// True if work given to this stream from now on runs after the point.
  bool runs_after(stream_order const& other, std::uint64_t tick) const;

  /// The host has waited for this stream so far, and with it for all that the stream waited for: complete(snapshot()), which
  /// allocates nothing.
  void complete_here() noexcept;
  /// The host has waited for these positions: any stream runs after them from now on.
  static void complete(order_snapshot const& snapshot) noexcept;
  bool completed(std::uint64_t tick) const noexcept { return tick <= completed_.load(std::memory_order_acquire); }

  /// Ends the stream after the host waited for it; drops what it knows of others.
  void finish() noexcept;

 private:
  void complete_to(std::uint64_t tick) noexcept;

  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> tick_{0}, completed_{0};
  order_snapshot seen_;
};

struct order_handle : std::shared_ptr<stream_order> {
  using std::shared_ptr<stream_order>::shared_ptr;
  order_handle(std::shared_ptr<stream_order> order) : std::shared_ptr<stream_order>(std::move(order)) {}
};

/// The order of a handle to no stream.
inline order_handle const& no_order() noexcept {
  static order_handle const none;
  return none;
}

/// The number of references to what counted<T> refers to.
class reference_count {
 public:
  void add() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  /// True for the last one.
  bool drop() noexcept { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  std::atomic<int> count_{1};
};

struct order_record {
  order_snapshot seen;
  reference_count references{};
};

/// What an event recorded; nothing before its first record.
inline order_snapshot const& seen_by(counted<order_record> const& record) {
  static order_snapshot const nothing;
  return record ? record->seen : nothing;
}

}  // namespace dolmen::detail
