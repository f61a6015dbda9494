#include "ordering.hpp"

#include <algorithm>
#include <limits>

namespace dolmen::detail {

order_snapshot stream_order::snapshot() const {
  std::lock_guard lock(mutex_);
  order_snapshot all;
  all.reserve(seen_.size() + 1);
  for (auto const& point : seen_)
    if (!point.stream->completed(point.tick)) all.push_back(point);
  all.push_back({std::const_pointer_cast<stream_order>(shared_from_this()), tick_.load(std::memory_order_relaxed)});
  return all;
}

void stream_order::join(order_snapshot const& snapshot) {
  std::lock_guard lock(mutex_);
  std::erase_if(seen_, [](stream_point const& p) { return p.stream->completed(p.tick); });
  seen_.reserve(seen_.size() + snapshot.size());  // from here on nothing throws: all of the snapshot or nothing
  for (auto const& point : snapshot) {
    if (point.stream.get() == this || point.stream->completed(point.tick)) continue;
    auto known = std::find_if(seen_.begin(), seen_.end(), [&](stream_point const& p) { return p.stream == point.stream; });
    if (known == seen_.end())
      seen_.push_back(point);
    else
      known->tick = std::max(known->tick, point.tick);
  }
}

bool stream_order::runs_after(stream_order const& other, std::uint64_t tick) const {
  if (&other == this || other.completed(tick)) return true;
  std::lock_guard lock(mutex_);
  // Asked again at the end: a position that completes meanwhile may just have been dropped from what this stream has seen.
  return std::any_of(seen_.begin(), seen_.end(), [&](stream_point const& p) { return p.stream.get() == &other && p.tick >= tick; }) ||
         other.completed(tick);
}

void stream_order::complete_to(std::uint64_t tick) noexcept {
  auto done = completed_.load(std::memory_order_relaxed);
  while (done < tick && !completed_.compare_exchange_weak(done, tick, std::memory_order_release)) {
  }
}

void stream_order::complete(order_snapshot const& snapshot) noexcept {
  for (auto const& [stream, tick] : snapshot) stream->complete_to(tick);
}

void stream_order::complete_here() noexcept {
  std::lock_guard lock(mutex_);
  for (auto const& point : seen_) point.stream->complete_to(point.tick);
  complete_to(tick_.load(std::memory_order_relaxed));
}

void stream_order::finish() noexcept {
  order_snapshot dropped;
  std::lock_guard lock(mutex_);
  completed_.store(std::numeric_limits<std::uint64_t>::max(), std::memory_order_release);
  dropped.swap(seen_);
}

void retain(order_record* record) noexcept { record->references.add(); }
void release(order_record* record) noexcept {
  if (record->references.drop()) delete record;
}

}  // namespace dolmen::detail
