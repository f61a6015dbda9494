// Order between the blocks of a launch: what was released to an address, and who acquired it.
#include "monitor.hpp"

namespace dolmen::check::impl {

void clocks::add(log& l, monitor const& m) {
  auto& entries = l.blocks[m.block()];
  entry const e{m.now(), unsigned(m.thread < 0 ? 0 : m.thread), m.thread < 0, l.length++};
  if (!entries.empty() && entries.back().when == e.when && entries.back().thread == e.thread && entries.back().whole == e.whole) return;
  entries.push_back(e);
}

void clocks::release(monitor const& m, void const* address) {
  std::lock_guard const lock(mutex_);
  auto& l = logs_[address];
  if (!l) l = std::make_shared<log>();
  for (auto const& s : blocks_[m.block()].acquired)
    if (s.what != l && (s.thread < 0 || s.since < m.now() || s.thread == m.thread)) {
      l->links.emplace_back(s.what, s.length);
      l->link_positions.push_back(l->length++);
    }
  add(*l, m);
}

void clocks::acquire(monitor const& m, void const* address) {
  std::lock_guard const lock(mutex_);
  auto const found = logs_.find(address);
  if (found == logs_.end() || found->second->length == 0) return;
  auto& acquired = blocks_[m.block()].acquired;
  for (auto& s : acquired)
    if (s.what == found->second && s.since == m.now() && s.thread == m.thread) {
      s.length = found->second->length;
      return;
    }
  acquired.push_back({found->second, found->second->length, m.now(), m.thread});
}

void clocks::fence(monitor const& m, bool acquires, bool releases) {
  std::lock_guard const lock(mutex_);
  auto& b = blocks_[m.block()];
  if (acquires)
    for (auto const& s : b.possible)
      if (s.since < m.now() || s.thread == m.thread) b.acquired.push_back({s.what, s.length, m.now(), m.thread});
  if (releases) {
    b.fence_released = m.now();
    b.fence_thread = m.thread;
  }
}

void clocks::relaxed(monitor const& m, void const* address, bool reads, bool writes) {
  std::lock_guard const lock(mutex_);
  auto& b = blocks_[m.block()];
  if (reads)
    if (auto const found = logs_.find(address); found != logs_.end() && found->second->length > 0) {
      if (b.possible.size() > 64) b.possible.erase(b.possible.begin());
      b.possible.push_back({found->second, found->second->length, m.now(), m.thread});
    }
  if (writes && b.fence_released != 0 && (b.fence_released < m.now() || b.fence_thread == m.thread)) release(m, address);
}

bool clocks::holds(log const& l, std::size_t length, std::uint32_t block, impl::record const& earlier, int depth) {
  if (auto const found = l.blocks.find(block); found != l.blocks.end())
    for (auto const& e : found->second) {
      if (e.position >= length) break;
      if (e.when > earlier.when) return true;
      if (e.when == earlier.when && (e.whole || (earlier.many == readers::one && e.thread == earlier.thread))) return true;
    }
  if (depth < 64)
    for (std::size_t i = 0; i < l.links.size() && l.link_positions[i] < length; ++i)
      if (holds(*l.links[i].first, l.links[i].second, block, earlier, depth + 1)) return true;
  return false;
}

bool clocks::has_acquired(std::uint32_t block) {
  std::lock_guard const lock(mutex_);
  auto const found = blocks_.find(block);
  return found != blocks_.end() && !found->second.acquired.empty();
}

bool clocks::ordered(monitor const& m, std::uint32_t block, impl::record const& earlier) {
  std::lock_guard const lock(mutex_);
  auto const mine = blocks_.find(m.block());
  if (mine == blocks_.end()) return false;
  for (auto const& s : mine->second.acquired)
    if ((s.since < m.now() || s.thread < 0 || s.thread == m.thread) && holds(*s.what, s.length, block, earlier, 0)) return true;
  return false;
}

}  // namespace dolmen::check::impl
