#include "findings.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <map>
#include <mutex>
#include <new>
#include <tuple>
#include <utility>

#include "../../core/host_memory.hpp"
#include "fork.hpp"
#include "options.hpp"
#include "sites.hpp"

namespace dolmen::check {

using dolmen::detail::with_host_memory;

namespace {

constexpr int failed_status = 66;

char const* const names[kinds] = {"out_of_bounds",     "race",          "same_value",   "uninitialised", "misaligned",   "pending_copy",
                                  "block_scope_write", "sync_in_phase", "divergent",    "spin",          "host_access",  "use_after_free",
                                  "double_free",       "leak",          "copy_overrun", "bad_handle",    "stream_order", "early_read",
                                  "host_pointer"};

// What is wrong, in a sentence; and what would mend it.
struct words {
  char const *headline, *hint;
};
words const explained[kinds] = {
    {"index out of bounds", "compare the index with the extents; phases take a count of active threads"},
    {"data race", "a barrier (block.sync, warp.sync) between the two, or atomics of sufficient scope on both sides, orders them"},
    {"data race of equal values", "let one thread write; or accept it in the source, where every thread writes the same for certain"},
    {"read of memory that was never written", "fill it first; fresh buffers and shared memory hold whatever was there before"},
    {"misaligned pack", "use packs only where view.fits_packs<N>() says so, or as_packs, which checks once"},
    {"touched while an asynchronous copy is under way", "wait_copies, then sync, before the tile is used"},
    {"a phase writes a variable of the block scope", "on a GPU each thread has its own: use per_thread, a reduction, or shared memory"},
    {"a barrier, collective or phase inside of a phase", "end the phase first: code of the block belongs to block scope"},
    {"phases depend on the order of the threads", "decide at block scope, through block.uniform or a collective"},
    {"waits for another block that need not be running", "launch_cooperative runs all blocks at once"},
    {"host code touches device memory", "copy or download the data; data() of a buffer is an address of the device"},
    {"use of memory that was given back", "keep the buffer until the last use, in the order of its stream"},
    {"memory given back twice", "one owner frees"},
    {"memory never given back", "destroy the buffer, or keep it in something that is"},
    {"an operation past the end of its memory", "compare sizes; views that were made by hand have the size that was said"},
    {"a handle that refers to nothing", "a stream, event or buffer that is null, moved from or freed has to be assigned to first"},
    {"operations of two streams without order", "record an event after the first and wait for it on the second stream"},
    {"the host touches memory that a copy may still use", "synchronise the stream, or wait for an event, first"},
    {"an address of the host in what runs on the device", "hold and capture values and views; upload what the device is to read"}};

struct collector {
  using key = std::tuple<kind, std::string, std::string, int, int, std::string, int, int>;
  std::mutex mutex;
  std::map<key, std::size_t> seen;
  std::vector<finding> open, handled;
  std::size_t printed = 0;  // of open
  std::vector<acceptance> accepted;
  index_t dropped = 0;
  int expecting = 0;
  void (*listener)(finding const&) = nullptr;
};

void forget_parents();

collector& all() {
  static collector& only = *[] {
    auto* const made = &impl::table_across_forks<collector>();
    impl::at_fork({[] {}, [] {}, forget_parents});
    return made;
  }();
  return only;
}

bool forked = false;

// The parent reports what it found.
void forget_parents() {
  auto& c = all();
  c.seen.clear();
  c.open.clear();
  c.handled.clear();
  c.printed = 0;
  c.dropped = 0;
  for (auto& a : c.accepted) a.count = 0;
  forked = true;
}

std::atomic<void (*)()> last_reports{nullptr};

std::string line_of(std::string const& file, int line) {
  std::ifstream in(file);
  std::string text;
  for (int i = 0; i < line; ++i)
    if (!std::getline(in, text)) return "";
  auto const start = text.find_first_not_of(" \t");
  return start == std::string::npos ? "" : text.substr(start);
}

void put(std::string& text, char const* label, place const& p) {
  if (p.line == 0) return;
  text += detail::text("    ", label, " ");
  if (p.block[0] >= 0) {
    text += detail::text("block (", p.block[0], ", ", p.block[1], ", ", p.block[2], ") ");
    text += p.thread >= 0 ? detail::text("thread ", p.thread) : std::string("all threads");
  } else {
    text += p.block[0] == -1 ? "host" : "the function";
  }
  text += detail::text(" at ", p.file, ":", p.line, ":", p.column, "\n");
  if (auto const source = line_of(p.file, p.line); !source.empty()) text += "        " + source + "\n";
}

std::string describe(finding const& f) {
  auto const& w = explained[int(f.what)];
  std::string text = detail::text("dolmen check: ", w.headline, " [", names[int(f.what)], "]");
  if (!f.kernel.empty()) text += " in " + f.kernel;
  text += "\n";
  if (!f.element.empty()) text += "    " + f.element + "\n";
  put(text, "here:  ", f.first);
  put(text, "before:", f.second);
  text += detail::text("    hint: ", w.hint, "\n");
  return text;
}

void write_json_text(std::ostream& out, std::string const& text) {
  out << '"';
  for (unsigned char c : text) {
    char buffer[8];
    if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (c < 0x20)
      out << (std::snprintf(buffer, sizeof buffer, "\\u%04x", c), buffer);
    else
      out << c;
  }
  out << '"';
}

void write_json_place(std::ostream& out, place const& p) {
  if (p.line == 0) {
    out << "null";
    return;
  }
  out << "{\"file\": ";
  write_json_text(out, p.file);
  out << detail::text(", \"line\": ", p.line, ", \"column\": ", p.column, ", \"block\": [", p.block[0], ", ", p.block[1], ", ", p.block[2],
                      "], \"thread\": ", p.thread, "}");
}

// False if the file cannot be written.
bool write_json(std::string const& path, std::vector<finding> const& findings, std::vector<acceptance> const& accepted) {
  std::ofstream out(path);
  out.imbue(std::locale::classic());
  out << "{\"findings\": [";
  char const* comma = "\n";
  for (auto const& f : findings) {
    out << detail::text(comma, "  {\"kind\": \"", names[int(f.what)], "\", \"count\": ", f.count, ", \"kernel\": ");
    write_json_text(out, f.kernel);
    out << ", \"element\": ";
    write_json_text(out, f.element);
    out << ", \"first\": ";
    write_json_place(out, f.first);
    out << ", \"second\": ";
    write_json_place(out, f.second);
    out << "}";
    comma = ",\n";
  }
  out << "\n], \"accepted\": [";
  comma = "\n";
  for (auto const& a : accepted) {
    if (a.count == 0) continue;
    out << detail::text(comma, "  {\"kind\": \"", names[int(a.what)], "\", \"count\": ", a.count, ", \"file\": ");
    write_json_text(out, a.file);
    out << detail::text(", \"line\": ", a.line, ", \"reason\": ");
    write_json_text(out, a.reason);
    out << "}";
    comma = ",\n";
  }
  out << "\n]}\n";
  out.close();
  if (!out) std::fprintf(stderr, "dolmen check: cannot write %s\n", path.c_str());
  return bool(out);
}

// Options that are none end the process with a failure, even one that caught the exception, or used nothing that would throw it.
options const& options_or_exit() {
  try {
    return current_options();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::fflush(nullptr);
    _exit(1);
  }
}

void finish() {
  auto const& o = options_or_exit();
  set_listener(nullptr);  // its tests are over
  if (auto const more = last_reports.load()) more();
  impl::flush();
  auto& c = all();
  std::lock_guard const lock(c.mutex);
  bool written = true;
  if (auto path = o.json; !path.empty()) {
    auto findings = c.handled;
    findings.insert(findings.end(), c.open.begin(), c.open.end());
    if (forked) path += "." + std::to_string(getpid());  // beside its parent's
    if (!forked || !findings.empty()) written = write_json(path, findings, c.accepted);
  }
  for (auto const& a : c.accepted)
    if (a.count > 0)
      std::fprintf(stderr, "dolmen check: accepted %lld of [%s] at %s:%d: %s\n", static_cast<long long>(a.count), names[int(a.what)],
                   a.file.c_str(), a.line, a.reason.c_str());
  if (c.open.empty() && written) return;
  if (c.open.empty()) {
    std::fflush(nullptr);
    _exit(failed_status);
  }
  index_t total = c.dropped;
  for (auto const& f : c.open) total += f.count;
  std::fprintf(stderr, "dolmen check: %lld finding%s, %zu of them different\n", static_cast<long long>(total), total == 1 ? "" : "s",
               c.open.size());
  std::fflush(nullptr);
  _exit(failed_status);
}

// Before all other objects, so that it ends the process after them: buffers of static storage are no leaks.
[[gnu::constructor(101)]] void finish_last() { std::atexit(finish); }

}  // namespace

void impl::at_end(void (*report_more)()) { last_reports = report_more; }

char const* name_of(kind k) noexcept { return names[int(k)]; }

bool impl::accept_findings(kind what, char const* reason, char const* named, int line) {
  return with_host_memory("DOLMEN_CHECK_ACCEPT", source_location(), [&] {
    std::string const file = source_name(named);
    auto& c = all();
    std::lock_guard const lock(c.mutex);
    for (auto const& a : c.accepted)  // of other instances of the same template
      if (a.what == what && a.line == line && a.file == file) return true;
    c.accepted.push_back({what, file, line, reason, 0});
    return true;
  });
}

std::vector<acceptance> accepted_findings() {
  return with_host_memory("accepted_findings", source_location(), [] {
    auto& c = all();
    std::lock_guard const lock(c.mutex);
    return c.accepted;
  });
}

void impl::report(finding f) {
  auto const& o = current_options();
  if (!o.looks_for(f.what)) return;
  auto& c = all();
  std::unique_lock lock(c.mutex);
  for (auto& a : c.accepted) {
    auto const names_line = [&](place const& p) { return (p.line == a.line || p.line == a.line + 1) && p.file == a.file; };
    if (a.what != f.what || !(names_line(f.first) || names_line(f.second))) continue;
    a.count += f.count;
    return;
  }
  collector::key const key{f.what, f.kernel, f.first.file, f.first.line, f.first.column, f.second.file, f.second.line, f.second.column};
  auto const [entry, fresh] = c.seen.try_emplace(key, c.open.size());
  if (!fresh) {
    c.open[entry->second].count += f.count;
    return;
  }
  if (index_t(c.open.size()) >= o.limit) {
    c.seen.erase(entry);
    c.dropped += f.count;
    return;
  }
  try {
    f.text = describe(f);
    c.open.push_back(std::move(f));
  } catch (...) {  // no memory is left: as if it had not been met
    c.seen.erase(entry);
    throw;
  }
  if (o.abort && c.expecting == 0) {
    std::fputs(c.open.back().text.c_str(), stderr);
    std::fflush(nullptr);
    _exit(failed_status);
  }
}

void impl::flush() {
  auto& c = all();
  std::vector<finding> fresh;
  void (*listener)(finding const&) = nullptr;
  try {
    std::lock_guard const lock(c.mutex);
    if (c.expecting == 0) {
      fresh.assign(c.open.begin() + std::ptrdiff_t(c.printed), c.open.end());
      c.printed = c.open.size();
      listener = c.listener;
    }
  } catch (std::bad_alloc const&) {
    return;  // they are printed with the next ones, or at the end
  }
  for (auto const& f : fresh) {
    std::fputs(f.text.c_str(), stderr);
    if (f.count > 1) std::fprintf(stderr, "    so far %lld times\n", static_cast<long long>(f.count));
    if (listener) listener(f);
  }
}

std::vector<finding> take_findings() {
  return with_host_memory("take_findings", source_location(), [] {
    auto& c = all();
    std::lock_guard const lock(c.mutex);
    c.handled.insert(c.handled.end(), c.open.begin(), c.open.end());  // first: it may throw
    c.seen.clear();
    c.printed = 0;
    return std::exchange(c.open, {});
  });
}

expect_findings::expect_findings() {
  auto& c = all();
  std::lock_guard const lock(c.mutex);
  ++c.expecting;
}
expect_findings::~expect_findings() {
  auto& c = all();
  std::lock_guard const lock(c.mutex);
  --c.expecting;
}

void set_listener(void (*listener)(finding const&)) noexcept {
  auto& c = all();
  std::lock_guard const lock(c.mutex);
  c.listener = listener;
}

}  // namespace dolmen::check
