#include "intervals.hpp"

#include <atomic>
#include <memory>
#include <mutex>

#include "fork.hpp"

namespace dolmen::check::impl {
namespace {

constexpr interval chunk = intervals_together, chunks = 1 << 14;

struct interval_table {
  std::mutex mutex;
  std::atomic<interval> next{1};
};

// Never ended: reports come at the end of the process.
constinit interval_table kept_intervals;
[[maybe_unused]] bool const intervals_held = hold_in_fork(kept_intervals.mutex);
interval_table& intervals() { return kept_intervals; }

}  // namespace

constinit std::atomic<interval_info*> interval_parts[chunks] = {};

interval new_interval(interval_info info) {
  auto& t = intervals();
  interval const i = t.next.fetch_add(1);
  if (i >= chunk * chunks - 1) throw error("dolmen check: more barriers than can be told apart (2^30); run less in one process");
  auto& part = interval_parts[i / chunk];
  if (!part.load(std::memory_order_acquire)) {
    std::lock_guard const lock(t.mutex);
    if (!part.load()) part.store(new interval_info[chunk], std::memory_order_release);
  }
  part.load(std::memory_order_acquire)[i % chunk] = info;
  return i;
}

interval last_interval() { return intervals().next.load() - 1; }

}  // namespace dolmen::check::impl
