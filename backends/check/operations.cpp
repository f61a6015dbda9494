#include "operation_info.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "../../core/host_memory.hpp"
#include "findings.hpp"
#include "fork.hpp"
#include "window.hpp"

namespace dolmen::check::impl {
namespace {

using dolmen::detail::stream_order;

struct operation_table {
  std::mutex mutex;
  std::deque<operation_info> all{1};                                            // references stay valid
  std::unordered_map<stream_order const*, std::vector<operation_number>> open;  // which the host has not waited for
};

operation_table& operations() {
  static operation_table& only = table_across_forks<operation_table>();
  return only;
}

bool follows(operation_info const& a, operation_info const& b) {
  return !a.stream || !b.stream || a.stream == b.stream || b.stream->completed(b.tick) || a.stream->runs_after(*b.stream, b.tick);
}

// The first interval of what may run at the same time as this new operation.
interval settled_before(operation_table& t, operation_info const& later) {
  interval first = later.first_interval;
  for (auto i = t.open.begin(); i != t.open.end();) {
    auto* const stream = i->first;
    auto& numbers = i->second;
    auto const waited = std::find_if(numbers.begin(), numbers.end(), [&](auto n) { return !stream->completed(t.all[n].tick); });
    numbers.erase(numbers.begin(), waited);
    if (stream != later.stream.get()) {
      auto const parted = std::partition_point(numbers.begin(), numbers.end(), [&](auto n) { return follows(later, t.all[n]); });
      if (parted != numbers.end()) first = min(first, t.all[*parted].first_interval);
    }
    i = numbers.empty() ? t.open.erase(i) : std::next(i);
  }
  return first;
}

}  // namespace

operation_number begin_operation(std::string name, dolmen::detail::order_handle const& stream, source_location where,
                                 dolmen::block_index grid) {
  return dolmen::detail::with_host_memory(name.c_str(), where, [&] {
    window::get().guard();
    auto& t = operations();
    operation_info info;
    info.name = name;
    info.where = site_of(where);
    info.stream = stream;
    if (stream) info.tick = stream->advance();
    info.grid = grid;
    std::lock_guard const lock(t.mutex);
    auto const number = operation_number(t.all.size());
    info.first_interval = new_interval({number, 0, 0});
    info.settled = settled_before(t, info);
    auto* const open = stream ? &t.open[stream.get()] : nullptr;
    if (open && open->size() == open->capacity()) open->reserve(2 * open->size() + 8);
    t.all.push_back(std::move(info));  // nothing that throws comes after it: what is open is there
    if (open) open->push_back(number);
    return number;
  });
}

operation_info const& operation(operation_number n) {
  auto& t = operations();
  std::lock_guard const lock(t.mutex);
  return t.all[n];
}

bool runs_after(operation_number later, operation_number earlier) {
  if (later == earlier || earlier == 0) return true;
  thread_local operation_number last_later = 0, last_earlier = 0;
  thread_local bool last = false;
  if (last && later == last_later && earlier == last_earlier) return true;
  auto const &a = operation(later), &b = operation(earlier);
  bool const ordered = follows(a, b);
  last_later = later;
  last_earlier = earlier;
  last = ordered;
  return ordered;
}

bool host_waited(operation_number n) {
  auto const& o = operation(n);
  return !o.stream || o.stream->completed(o.tick);
}

std::string describe_address(void const* address, int width) {
  using dolmen::detail::text;
  auto const info = window::get().find(address);
  if (info.bytes == 0) return text("address ", address, ", in no allocation");
  auto const where = place_of(info.where);
  auto const offset = static_cast<char const*>(address) - info.begin;
  std::string const owner = info.name ? text("'", info.name, "', ") : "";
  return text("byte ", offset, width > 0 ? text(" (element ", offset / width, " of ", width, " bytes)") : std::string(), " of ", owner,
              "the ", info.bytes, " bytes ", info.live ? "allocated" : "freed, which were allocated", " at ", where.file, ":", where.line);
}

namespace {

struct parted_reads {
  std::mutex mutex;
  std::unordered_multimap<char const*, std::uint64_t> all;
};

parted_reads& parted() {
  static parted_reads& only = table_across_forks<parted_reads>();
  return only;
}

}  // namespace

constinit std::atomic<std::size_t> parted_reads_kept{0};

void keep_parted_read(char const* word, std::uint64_t bits) {
  auto& p = parted();
  std::lock_guard const lock(p.mutex);
  auto const operation_of = [](std::uint64_t r) { return info_of(record::unpack(r).when).operation; };
  auto const [begin, end] = p.all.equal_range(word);
  for (auto i = begin; i != end; ++i)
    if (operation_of(i->second) == operation_of(bits)) return;
  p.all.emplace(word, bits);
  parted_reads_kept = p.all.size();
}

std::uint64_t parted_read(operation_number by, char const* word) {
  auto& p = parted();
  if (parted_reads_kept.load(std::memory_order_relaxed) == 0) return 0;
  std::lock_guard const lock(p.mutex);
  auto const [begin, end] = p.all.equal_range(word);
  std::uint64_t found = 0;
  for (auto i = begin; i != end;) {
    if (runs_after(by, info_of(record::unpack(i->second).when).operation)) {
      i = p.all.erase(i);
    } else {
      found = i->second;
      ++i;
    }
  }
  parted_reads_kept = p.all.size();
  return found;
}

namespace {

// True if what the record says may run at the same time as the operation.
bool unordered(operation_number by, interval settled, std::uint64_t bits) {
  auto const r = record::unpack(bits);
  if (r.when < settled) return false;
  return r && !runs_after(by, info_of(r.when).operation);
}

void tell(operation_number by, kind what, char const* address, std::uint64_t other) {
  auto const& o = operation(by);
  finding f;
  f.what = what;
  f.kernel = o.name;
  f.element = describe_address(address, 0);
  f.first = place_of(o.where);
  if (auto const r = record::unpack(other)) {
    auto const& before = operation(info_of(r.when).operation);
    f.second = place_of(before.where);
    if (auto const line = place_of(r.where); r.where != before.where)
      f.element += dolmen::detail::text(", there used at ", line.file, ":", line.line);
  }
  report(std::move(f));
}

}  // namespace

bool use_range(operation_number by, void const* begin, std::size_t bytes, use what) {
  auto& w = window::get();
  auto const* const p = static_cast<char const*>(begin);
  if (bytes == 0 || !w.holds(p)) return true;
  auto const info = w.find(p);
  if (!info.live) {
    tell(by, info.bytes ? kind::use_after_free : kind::copy_overrun, p, 0);
    return false;
  }
  if (p + bytes > info.begin + info.bytes) {
    tell(by, kind::copy_overrun, info.begin + info.bytes, 0);
    return false;
  }
  auto const& o = operation(by);
  record mine;
  mine.when = o.first_interval;
  mine.where = o.where;
  mine.many = readers::block;
  auto const packed = mine.packed();
  bool const writes = what == use::write || what == use::allocate || what == use::release;
  bool told = false;
  auto const visit = [&](cell& c, char const* at) {
    std::uint64_t const before = writes ? c.write.exchange(packed) : c.write.load();
    std::uint64_t reader = 0;
    if (writes) {
      reader = c.read.load() != 0 ? c.read.exchange(0) : 0;
    } else if (auto const last = c.read.exchange(packed); last != 0 && last != packed && unordered(by, o.settled, last)) {
      keep_parted_read(at, last);
    }
    if (told || what == use::allocate) return;
    std::uint64_t other = unordered(by, o.settled, before) ? before : writes && unordered(by, o.settled, reader) ? reader : 0;
    if (other == 0 && writes && parted_reads_kept.load() != 0) other = parted_read(by, at);
    if (other == 0) return;
    told = true;
    tell(by, kind::stream_order, at, other);
  };
  char const* const from = p - (p - w.begin()) % 4;
  for (char const* at = from; at < p + bytes; at += 4) {
    if (at >= p && at + 4 <= p + bytes) visit(w.word_cell(at), at);
    bool const parts = at < p || at + 4 > p + bytes;
    if (parts || w.narrow(at))
      for (int k = 0; k < 4; ++k)
        if (at + k >= p && at + k < p + bytes) {
          visit(w.byte_cell(at + k), at + k);
          w.narrow(at) = 1;
        }
  }
  auto* const states = w.state(p);
  if (what == use::read) {
    for (std::size_t i = 0; i < bytes; ++i)
      if (states[i] != initialised) {
        tell(by, kind::uninitialised, p + i, 0);
        break;
      }
  }
  if (what == use::write) std::memset(states, initialised, bytes);
  return true;
}

}  // namespace dolmen::check::impl
