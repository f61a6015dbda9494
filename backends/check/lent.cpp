#include "lent.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

#include "findings.hpp"
#include "fork.hpp"
#include "frame.hpp"
#include "mappings.hpp"
#include "operation_info.hpp"

namespace dolmen::check::impl {
namespace {

constexpr std::uintptr_t lent_page = 4096;

/// Pages that are closed. What more there is at a time is not closed.
struct closed_pages {
  std::atomic<char*> begin{nullptr}, end{nullptr};  // null: free, or open again
  std::atomic<char*> touched{nullptr};              // the first address that the program touched
};
constinit closed_pages all_closed[256];

/// Bytes that come later.
struct late_part {
  char* to;
  std::vector<char> data;
};

struct host_loan {
  char *begin, *end;
  operation_number by;
  std::vector<late_part> parts;
  closed_pages* closed;
};

struct lent_table {
  std::mutex mutex;
  std::vector<host_loan> loans;
};
lent_table& lent_memory() {
  static lent_table& only = table_across_forks<lent_table>();
  return only;
}

char* page_up(char* p) { return p + (-reinterpret_cast<std::uintptr_t>(p) & (lent_page - 1)); }
char* page_down(char* p) { return p - (reinterpret_cast<std::uintptr_t>(p) & (lent_page - 1)); }

// Closing pages of a stack that its owner leaves would end the program without a word.
bool on_stack(char const* p) {
  thread_local char const* const top = [] {
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return static_cast<char const*>(nullptr);
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    return static_cast<char const*>(low) + bytes;
  }();
  return p >= static_cast<char const*>(__builtin_frame_address(0)) && p < top;
}

closed_pages* close_pages(char* begin, char* end) {
  for (auto& c : all_closed) {
    if (c.begin.load() || c.touched.load()) continue;
    if (mprotect(begin, std::size_t(end - begin), PROT_NONE) != 0) return nullptr;
    c.end = end;
    c.begin = begin;
    return &c;
  }
  return nullptr;
}

// Opens what still is closed: the program may have given its memory back meanwhile, and the system may have given it on.
void open_pages(closed_pages& c) {
  char *at = c.begin.exchange(nullptr), *const end = c.end;
  while (at && at < end) {
    auto const m = mapping_of(reinterpret_cast<std::uintptr_t>(at));
    if (!m) {  // gone; or the list of mappings could not be read
      mprotect(at, std::size_t(end - at), PROT_READ | PROT_WRITE);
      break;
    }
    char* const past = std::min(end, reinterpret_cast<char*>(m->end));
    if (!m->readable && !m->writable) mprotect(at, std::size_t(past - at), PROT_READ | PROT_WRITE);
    at = past;
  }
}

bool is_mapped(char* p, std::size_t bytes) {
  char* const start = page_down(p);
  return msync(start, std::size_t(p + bytes - start), MS_ASYNC) == 0;
}

// What the program has given back may be read here, and written if nobody else did: that is no mistake of this library, which
// AddressSanitizer would take it for. (It sees what memcmp and memcpy do, which ordinary loops become.)
DOLMEN_NO_SANITIZE bool holds_pattern(char const volatile* p, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (p[i] != char(not_there_yet)) return false;
  return true;
}
DOLMEN_NO_SANITIZE void hand_over(char volatile* to, std::vector<char> const& data) {
  char const* const from = data.data();
  std::size_t const bytes = data.size();
  for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

void report_early(operation_number by, char const* what, std::string kernel = "host code", site where = 0) {
  finding f;
  f.what = kind::early_read;
  f.kernel = std::move(kernel);
  f.element = what;
  f.first = place_of(where);
  f.second = place_of(operation(by).where);
  report(std::move(f));
}

void end_loan(host_loan& l) {
  if (l.closed) {
    open_pages(*l.closed);
    if (l.closed->touched.exchange(nullptr)) report_early(l.by, "a download into it was not waited for");
  }
  bool changed = false;
  for (auto const& p : l.parts) {
    if (!is_mapped(p.to, p.data.size())) continue;
    if (holds_pattern(p.to, p.data.size()))
      hand_over(p.to, p.data);
    else
      changed = true;  // perhaps it is somebody else's now
  }
  if (changed) report_early(l.by, "it was written, or given back, before a download into it was waited for; what was downloaded is lost");
}

// Ends loans of which `over` is true.
template <class Over>
void end_loans(lent_table& t, Over&& over) {
  for (auto l = t.loans.begin(); l != t.loans.end();) {
    if (!over(*l)) {
      ++l;
      continue;
    }
    host_loan ended = std::move(*l);
    l = t.loans.erase(l);
    end_loan(ended);
  }
}

}  // namespace

void lend(char* to, std::vector<char> data, operation_number by) {
  char* const end = to + data.size();
  auto& t = lent_memory();
  std::lock_guard const lock(t.mutex);
  end_loans(t, [&](host_loan const& l) {  // the newer download's data are what counts
    bool const overlap = l.begin < end && to < l.end;
    if (overlap && !runs_after(by, l.by)) {
      finding f;
      f.what = kind::stream_order;
      f.kernel = operation(by).name;
      f.element = "memory of the host, which both operations write";
      f.first = place_of(operation(by).where);
      f.second = place_of(operation(l.by).where);
      report(std::move(f));
    }
    return overlap;
  });
  host_loan l{to, end, by, {}, nullptr};
  t.loans.reserve(t.loans.size() + 1);  // first: it may throw
  l.parts.reserve(2);
  char *first = page_up(to), *last = page_down(end);
  if (first < last && !on_stack(to)) {
    std::memcpy(first, data.data() + (first - to), std::size_t(last - first));
    l.closed = close_pages(first, last);
  }
  if (!l.closed) first = last = end;
  auto const later = [&](char* from, char* past) {
    if (from == past) return;
    l.parts.push_back({from, std::vector<char>(data.data() + (from - to), data.data() + (past - to))});
  };
  try {
    later(to, first);
    later(last, end);
  } catch (...) {  // the host's memory has run out
    if (l.closed) open_pages(*l.closed);
    throw;
  }
  for (auto const& p : l.parts) std::memset(p.to, not_there_yet, p.data.size());
  t.loans.push_back(std::move(l));
}

void take_now(void const* from, std::size_t bytes, operation_number by) {
  auto const* const p = static_cast<char const*>(from);
  auto& t = lent_memory();
  std::lock_guard const lock(t.mutex);
  end_loans(t, [&](host_loan const& l) {
    bool const overlap = l.begin < p + bytes && p < l.end;
    if (overlap && !host_waited(l.by))
      report_early(l.by, "an upload takes it at once, and a download into it was not waited for", operation(by).name, operation(by).where);
    return overlap;
  });
}

void return_lent() {
  auto& t = lent_memory();
  std::lock_guard const lock(t.mutex);
  end_loans(t, [](host_loan const& l) { return host_waited(l.by); });
}

void return_all_lent() {
  auto& t = lent_memory();
  std::lock_guard const lock(t.mutex);
  end_loans(t, [](host_loan const&) { return true; });
}

bool touch_lent(char* address) {
  for (auto& c : all_closed) {
    char *const begin = c.begin.load(), *const end = c.end.load();
    if (!begin || address < begin || address >= end) continue;
    c.touched = address;
    c.begin = nullptr;
    return mprotect(begin, std::size_t(end - begin), PROT_READ | PROT_WRITE) == 0;
  }
  return false;
}

}  // namespace dolmen::check::impl
