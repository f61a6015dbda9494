#include "record.hpp"

#include <atomic>
#include <memory>
#include <mutex>

namespace dolmen::check::impl {
namespace {

constexpr interval chunk = 1 << 16, chunks = 1 << 14;

struct table {
  std::mutex mutex;
  std::atomic<interval> next{1};
  std::atomic<interval_info*> parts[chunks] = {};
};

table& all() {
  static table& only = *new table;
  return only;
}

}  // namespace

interval new_interval(interval_info info) {
  auto& t = all();
  interval const i = t.next.fetch_add(1);
  if (i >= chunk * chunks - 1) throw error("dolmen check: more barriers than can be told apart (2^30); run less in one process");
  auto& part = t.parts[i / chunk];
  if (!part.load(std::memory_order_acquire)) {
    std::lock_guard const lock(t.mutex);
    if (!part.load()) part.store(new interval_info[chunk], std::memory_order_release);
  }
  part.load(std::memory_order_acquire)[i % chunk] = info;
  return i;
}

interval_info info_of(interval i) { return all().parts[i / chunk].load(std::memory_order_acquire)[i % chunk]; }

interval last_interval() { return all().next.load() - 1; }

}  // namespace dolmen::check::impl
