#include "pinned.hpp"

#include <sys/mman.h>

#include <unistd.h>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "findings.hpp"
#include "fork.hpp"
#include "operation_info.hpp"

namespace dolmen::check::impl {
namespace {

constexpr std::size_t page = 4096;

struct loan {
  char const *begin, *end;
  bool written;
  operation_number by;
};

struct region {
  std::size_t bytes;  // whole pages
  std::ptrdiff_t to_open;
  site where;
  std::vector<loan> loans;
  memory_copy childs = {};
  bool inherited = false;                  // from the process that forked this one
  std::map<char*, site>::node_type after;  // its entry among the released ones, so that freeing allocates nothing
};

struct table {
  std::mutex mutex;
  std::map<char*, region> regions;
  std::map<char*, site> released;  // and not handed out again
};
void copy_for_child();
void close_copies();
void become_childs();

table& pinned_memory() {
  static table& only = *[] {
    auto* const made = &table_across_forks<table>();
    at_fork({copy_for_child, close_copies, become_childs});
    return made;
  }();
  return only;
}

// Closed while a download is under way, read-only while an upload is.
void protect(char* begin, region const& r) {
  int protection = PROT_READ | PROT_WRITE;
  for (auto const& l : r.loans) protection = l.written ? PROT_NONE : protection == PROT_NONE ? PROT_NONE : PROT_READ;
  for (auto const& l : r.loans)
    if (l.written) protection = PROT_NONE;
  mprotect(begin, r.bytes, protection);
}

void copy_for_child() {
  for (auto& [begin, r] : pinned_memory().regions) {
    r.childs.make(r.bytes);
    r.childs.add(begin + r.to_open, r.bytes, 0);
  }
}

void close_copies() {
  for (auto& [begin, r] : pinned_memory().regions) r.childs.close();
}

void become_childs() {
  for (auto& [begin, r] : pinned_memory().regions) {
    r.childs.show(begin, r.bytes, PROT_READ | PROT_WRITE);
    r.childs.show(begin + r.to_open, r.bytes, PROT_READ | PROT_WRITE);
    r.childs.close();
    r.inherited = true;
    protect(begin, r);
  }
}

std::map<char*, region>::iterator find(table& t, void const* p) {
  auto after = t.regions.upper_bound(static_cast<char*>(const_cast<void*>(p)));
  if (after == t.regions.begin()) return t.regions.end();
  --after;
  return p < after->first + after->second.bytes ? after : t.regions.end();
}

}  // namespace

char* allocate_pinned(std::size_t bytes, site where) {
  std::size_t const size = (bytes + page - 1) / page * page;
  if (size < bytes || size > std::size_t(1) << 46) return nullptr;
  int const file = memfd_create("dolmen check pinned", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  void *mine = MAP_FAILED, *open = MAP_FAILED;
  if (size <= std::size_t(sysconf(_SC_PHYS_PAGES)) * page && ftruncate(file, off_t(size)) == 0) {
    mine = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    open = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (mine == MAP_FAILED || open == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<char*>(mine);
  try {
    auto& t = pinned_memory();
    std::map<char*, site> later{{begin, where}};
    std::lock_guard const lock(t.mutex);
    t.regions[begin] = {size, static_cast<char*>(open) - begin, where, {}, {}, false, later.extract(begin)};
    t.released.erase(begin);
  } catch (...) {
    munmap(mine, size);
    munmap(open, size);
    throw;
  }
  return begin;
}

namespace {
void report_release(bool twice, site where, site copied) {
  finding f;
  f.what = twice ? kind::double_free : kind::early_read;
  f.kernel = "free of pinned memory";
  f.element = twice ? "pinned memory that is free already" : "a copy that was not waited for uses it";
  f.first = place_of(where);
  if (copied != 0) f.second = place_of(copied);
  report(std::move(f));
  flush();
}
}  // namespace

void release_pinned(void* data) {
  auto& t = pinned_memory();
  bool lent = false;
  bool twice = false;
  site where = 0;
  operation_number by = 0;
  {
    std::lock_guard const lock(t.mutex);
    auto const r = t.regions.find(static_cast<char*>(data));
    if (r == t.regions.end()) {
      auto const before = t.released.find(static_cast<char*>(data));
      if (before == t.released.end()) return;
      twice = true;
      where = before->second;
    } else {
      for (auto const& l : r->second.loans)
        if (!host_waited(l.by)) lent = true, by = l.by;
      where = r->second.where;
      munmap(r->first + r->second.to_open, r->second.bytes);
      munmap(r->first, r->second.bytes);
      t.released.insert(std::move(r->second.after));
      t.regions.erase(r);
    }
  }
  if (!lent && !twice) return;
  try {
    report_release(twice, where, lent ? operation(by).where : 0);
  } catch (...) {  // freeing never throws; a report that does not fit in memory is lost
  }
}

bool in_pinned(void const* p) {
  auto& t = pinned_memory();
  std::lock_guard const lock(t.mutex);
  return find(t, p) != t.regions.end();
}

char* open_pinned(void const* p) {
  auto& t = pinned_memory();
  auto* const address = static_cast<char*>(const_cast<void*>(p));
  std::lock_guard const lock(t.mutex);
  auto const r = find(t, p);
  return r == t.regions.end() ? address : address + r->second.to_open;
}

void lend_pinned(void const* p, std::size_t bytes, bool written, operation_number by) {
  auto& t = pinned_memory();
  auto const* const begin = static_cast<char const*>(p);
  finding f;
  std::unique_lock lock(t.mutex);
  auto const r = find(t, p);
  if (r == t.regions.end()) return;
  for (auto const& l : r->second.loans) {
    if (l.begin >= begin + bytes || begin >= l.end || !(l.written || written) || runs_after(by, l.by)) continue;
    f.what = kind::stream_order;
    f.kernel = operation(by).name;
    f.element = dolmen::detail::text("byte ", max(begin, l.begin) - r->first, " of pinned memory, which the other operation ",
                                     l.written ? "writes" : "reads");
    f.first = place_of(operation(by).where);
    f.second = place_of(operation(l.by).where);
  }
  r->second.loans.push_back({static_cast<char const*>(p), static_cast<char const*>(p) + bytes, written, by});
  protect(r->first, r->second);
  lock.unlock();
  if (f.first.line != 0) report(std::move(f));
}

void report_pinned_leaks() {
  auto& t = pinned_memory();
  std::vector<std::pair<std::size_t, site>> left;
  {
    std::lock_guard const lock(t.mutex);
    for (auto const& [begin, r] : t.regions)
      if (!r.inherited) left.emplace_back(r.bytes, r.where);
  }
  for (auto const& [bytes, where] : left) {
    finding f;
    f.what = kind::leak;
    f.kernel = "the end of the process";
    f.element = dolmen::detail::text(bytes, " bytes of pinned memory (whole pages)");
    f.first = place_of(where);
    report(std::move(f));
  }
}

void return_pinned() {
  auto& t = pinned_memory();
  std::lock_guard const lock(t.mutex);
  for (auto& [begin, r] : t.regions)
    if (std::erase_if(r.loans, [](loan const& l) { return host_waited(l.by); }) > 0) protect(begin, r);
}

bool touch_pinned(char* address) {
  auto& t = pinned_memory();
  finding f;
  {
    std::lock_guard const lock(t.mutex);
    auto const r = find(t, address);
    if (r == t.regions.end() || r->second.loans.empty()) return false;
    bool hit = false;
    for (auto const& l : r->second.loans)
      if (address >= l.begin && address < l.end) {
        f.second = place_of(operation(l.by).where);
        f.element = l.written ? "a download into it was not waited for" : "an upload from it was not waited for";
        hit = true;
      }
    if (hit) {
      f.what = kind::early_read;
      f.kernel = "host code";
    }
    mprotect(r->first, r->second.bytes, PROT_READ | PROT_WRITE);
    if (!hit) return true;  // another part of the same page
    r->second.loans.clear();
  }
  report(std::move(f));
  return true;
}

}  // namespace dolmen::check::impl
