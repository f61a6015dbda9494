#include "window.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <set>

#include "../../core/host_memory.hpp"
#include "faults.hpp"
#include "fork.hpp"
#include "lent.hpp"
#include "operations.hpp"
#include "options.hpp"
#include "pinned.hpp"

namespace dolmen::check::impl {
namespace {

constexpr std::size_t room = std::size_t(1) << 34;          // of addresses; what is used of them costs memory
constexpr std::size_t quarantine = std::size_t(256) << 20;  // freed bytes that are not handed out again yet
constexpr std::size_t alignment = 256, red_zone = 256, window_page = 4096;

char* reserve(std::size_t bytes, int protection, int file = -1) {
  int const flags = file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  void* const p = mmap(nullptr, bytes, protection, flags | MAP_NORESERVE, file, 0);
  if (p == MAP_FAILED) throw out_of_memory("dolmen check: the system gives no addresses for device memory (ulimit -v?)");
  if (file < 0) madvise(p, bytes, MADV_HUGEPAGE);  // fewer misses in the tables of pages; where there are none, all the same
  return static_cast<char*>(p);
}

memory_copy child_memory;

}  // namespace

struct window::lists {
  mutable std::mutex mutex;
  std::map<char*, allocation_info> blocks;  // by begin: live, and freed while their addresses are not used again
  std::map<char*, std::size_t> gaps;        // free addresses
  std::list<char*> waiting;                 // freed, oldest first
  std::list<char*> spare;                   // a node of that list for every live block, so that freeing allocates nothing
  std::size_t waiting_bytes = 0, used = 0, pooled = 0, peak = 0;
  std::uint64_t numbers = 0, inherited = 0;  // allocations, and those of them that were made before a fork
};

window::window() : lists_(table_across_forks<lists>()) {
  current_options();  // an exception for what DOLMEN_CHECK says comes at the first use
  int const file = memfd_create("dolmen check", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, off_t(room)) != 0) throw out_of_memory("dolmen check: the system gives no memory object (memfd_create)");
  begin_ = reserve(room, PROT_NONE, file);
  end_ = begin_ + room;
  to_open_ = reserve(room, PROT_READ | PROT_WRITE, file) - begin_;
  ::close(file);
  int const both = PROT_READ | PROT_WRITE;
  states_ = reinterpret_cast<std::uint8_t*>(reserve(room, both));
  narrow_ = reinterpret_cast<std::uint8_t*>(reserve(room / 4, both));
  words_ = reinterpret_cast<cell*>(reserve(room / 4 * sizeof(cell), both));
  bytes_ = reinterpret_cast<cell*>(reserve(room * sizeof(cell), both));
  lists_.gaps[begin_] = room;
  take_faults();
  dolmen::detail::device_addresses = {begin_, end_, to_open_};
  at_fork({[] { window::get().copy_for_child(); }, [] { child_memory.close(); }, [] { window::get().become_childs(); }});
  at_end([] {
    window::get().report_leaks();
    report_pinned_leaks();
    return_all_lent();
  });
}

window& window::get() {
  static window& only = *new window;
  return only;
}

char* window::allocate(std::size_t bytes, site where, std::uint32_t operation, bool pooled) {
  std::size_t const size = (bytes + red_zone + alignment - 1) / alignment * alignment;
  std::lock_guard const lock(lists_.mutex);
  auto const fits = [&] { return std::find_if(lists_.gaps.begin(), lists_.gaps.end(), [&](auto& g) { return g.second >= size; }); };
  auto gap = fits();
  while (gap == lists_.gaps.end() || lists_.waiting_bytes > quarantine) {  // addresses that were freed long ago
    if (lists_.waiting.empty()) break;
    char* const oldest = lists_.waiting.front();
    auto const old = lists_.blocks.find(oldest);
    std::size_t const span = (old->second.bytes + red_zone + alignment - 1) / alignment * alignment;
    auto const [here, fresh] = lists_.gaps.emplace(oldest, span);  // first: it may throw
    lists_.waiting.pop_front();
    lists_.waiting_bytes -= span;
    lists_.blocks.erase(old);
    if (auto const after = std::next(here); after != lists_.gaps.end() && here->first + here->second == after->first) {
      here->second += after->second;
      lists_.gaps.erase(after);
    }
    if (here != lists_.gaps.begin())
      if (auto const before = std::prev(here); before->first + before->second == here->first) {
        before->second += here->second;
        lists_.gaps.erase(here);
      }
    gap = fits();
  }
  if (gap == lists_.gaps.end()) return nullptr;
  char* const data = gap->first;
  std::size_t const left = gap->second - size;
  std::list<char*> node(1);
  lists_.blocks[data] = {data, bytes, where, operation, 0, true, pooled, nullptr, ++lists_.numbers};
  // From here on nothing throws.
  lists_.spare.splice(lists_.spare.end(), node);
  auto rest = lists_.gaps.extract(gap);
  if (left > 0) {
    rest.key() = data + size;
    rest.mapped() = left;
    lists_.gaps.insert(std::move(rest));
  }
  std::fill_n(state(data), bytes, allocated);
  std::fill_n(state(data + bytes), size - bytes, unallocated);
  std::fill_n(&narrow(data), size / 4, std::uint8_t(0));
  lists_.used += bytes;
  if (pooled) lists_.pooled += bytes;
  lists_.peak = std::max(lists_.peak, lists_.pooled);
  return data;
}

window::outcome window::release(char* data, std::uint32_t operation) {
  std::lock_guard const lock(lists_.mutex);
  auto const found = lists_.blocks.find(data);
  if (found == lists_.blocks.end()) return outcome::unknown;
  auto& info = found->second;
  if (!info.live) return outcome::twice;
  info.live = false;
  info.freed_by = operation;
  std::fill_n(state(data), info.bytes, freed);
  lists_.used -= info.bytes;
  if (info.pooled) lists_.pooled -= info.bytes;
  lists_.spare.back() = data;
  lists_.waiting.splice(lists_.waiting.end(), lists_.spare, std::prev(lists_.spare.end()));
  lists_.waiting_bytes += (info.bytes + red_zone + alignment - 1) / alignment * alignment;
  return outcome::done;
}

allocation_info window::find(void const* address) const {
  std::lock_guard const lock(lists_.mutex);
  auto* const p = static_cast<char*>(const_cast<void*>(address));
  auto const after = lists_.blocks.upper_bound(p);
  if (after == lists_.blocks.begin()) return {};
  auto const& info = std::prev(after)->second;
  return p < info.begin + info.bytes + red_zone ? info : allocation_info{};
}

void window::name(void const* address, char const* text) {
  static auto& all = *new std::set<std::string>;  // names outlive their memory: reports come late
  std::lock_guard const lock(lists_.mutex);
  auto const after = lists_.blocks.upper_bound(static_cast<char*>(const_cast<void*>(address)));
  if (after == lists_.blocks.begin()) return;
  auto& info = std::prev(after)->second;
  if (address < info.begin + std::max<std::size_t>(info.bytes, 1)) info.name = all.insert(text).first->c_str();
}

void name_memory(void const* address, char const* text) {
  dolmen::detail::with_host_memory("name", source_location(), [&] { window::get().name(address, text); });
}

std::size_t window::free_bytes() const {
  std::lock_guard const lock(lists_.mutex);
  return room - lists_.used;
}
std::size_t window::pooled() const {
  std::lock_guard const lock(lists_.mutex);
  return lists_.pooled;
}
std::size_t window::peak() const {
  std::lock_guard const lock(lists_.mutex);
  return lists_.peak;
}
void window::reset_peak() {
  std::lock_guard const lock(lists_.mutex);
  lists_.peak = lists_.pooled;
}

void window::report_leaks() const {
  std::vector<allocation_info> left;
  {
    std::lock_guard const lock(lists_.mutex);
    for (auto const& [begin, info] : lists_.blocks)
      if (info.live && info.number > lists_.inherited) left.push_back(info);
  }
  for (auto const& info : left) {
    finding f;
    f.what = kind::leak;
    f.kernel = "the end of the process";
    f.element = dolmen::detail::text(info.bytes, " bytes of device memory", info.name ? ", " : "", info.name ? info.name : "");
    f.first = place_of(info.where);
    report(std::move(f));
  }
}

bool window::open(char* from, char* to, bool writable) {
  auto const offset = std::size_t(from - begin_) / window_page * window_page,
             end = (std::size_t(to - begin_) + window_page - 1) / window_page * window_page;
  opened_ = true;
  return mprotect(begin_ + offset, end - offset, writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

void window::close() {
  if (opened_.exchange(false)) mprotect(begin_, room, PROT_NONE);
}

void window::guard() {
  take_faults();
  close();
}

void window::copy_for_child() {
  child_memory.make(room);
  for (auto const& [begin, info] : lists_.blocks)
    if (info.live) child_memory.add(reach(begin), info.bytes, std::size_t(begin - begin_));
}

void window::become_childs() {
  child_memory.show(begin_, room, PROT_NONE);
  child_memory.show(begin_ + to_open_, room, PROT_READ | PROT_WRITE);
  child_memory.close();
  opened_ = false;
  lists_.inherited = lists_.numbers;
}

}  // namespace dolmen::check::impl
