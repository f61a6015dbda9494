#include "sites.hpp"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <unordered_map>

#include "fork.hpp"

namespace dolmen::check::impl {
namespace {

constexpr std::size_t most = 1 << 13, slots = 4 * most;

struct entry {
  std::atomic<char const*> file{nullptr};
  std::uint32_t line = 0, column = 0;
  site number = 0;
};

struct site_table {
  std::mutex mutex;
  entry entries[slots];  // open addressing; entries never change once their file is set
  entry const* by_number[most] = {};
  site used = 0;
};

// Never ended: reports come at the end of the process.
constinit site_table kept_sites;
[[maybe_unused]] bool const sites_held = hold_in_fork(kept_sites.mutex);
site_table& known_sites() { return kept_sites; }

}  // namespace

site site_of(source_location where) {
  auto& t = known_sites();
  char const* const file = where.file_name();
  std::size_t const hash = (reinterpret_cast<std::uintptr_t>(file) >> 3) * 31 + where.line() * 2654435761u + where.column() * 40503u;
  for (std::size_t i = hash;; ++i) {
    entry& e = t.entries[i % slots];
    char const* seen = e.file.load(std::memory_order_acquire);
    if (!seen) {
      std::lock_guard const lock(t.mutex);
      seen = e.file.load(std::memory_order_relaxed);
      if (!seen) {
        if (t.used + 2 >= most) return most - 1;
        e.line = where.line();
        e.column = where.column();
        e.number = ++t.used;
        t.by_number[e.number] = &e;
        e.file.store(file, std::memory_order_release);
        return e.number;
      }
    }
    if (seen == file && e.line == where.line() && e.column == where.column()) return e.number;
  }
}

place place_of(site s) {
  place p;
  if (s == 0) return p;
  auto& t = known_sites();
  std::lock_guard const lock(t.mutex);
  if (entry const* e = t.by_number[s]) {
    p.file = source_name(e->file.load());
    p.line = int(e->line);
    p.column = int(e->column);
  }
  return p;
}

std::string source_name(char const* file) {
  namespace fs = std::filesystem;
  fs::path const named = file;
  if (named.is_absolute()) return file;
  std::error_code failed;
  fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (int up = 0; up < 4 && !folder.empty(); ++up, folder = folder.parent_path())
    if (fs::exists(folder / named, failed)) return fs::weakly_canonical(folder / named, failed).string();
  return file;
}

}  // namespace dolmen::check::impl
