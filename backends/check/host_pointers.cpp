#include "host_pointers.hpp"

#include <sys/mman.h>

#include <cinttypes>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "findings.hpp"
#include "mappings.hpp"
#include "operations.hpp"
#include "pinned.hpp"
#include "sites.hpp"
#include "window.hpp"

namespace dolmen::check::impl {
namespace {

constexpr std::uintptr_t system_page = 4096;

// Pages that are known to hold constants of the program, so that a kernel with a pointer to a text costs one look.
struct known_pages {
  std::mutex mutex;
  std::set<std::uintptr_t> constant;
};

// What memory of the host this is the address of; null: none, or nothing that a kernel may not know.
char const* owner_of(std::uintptr_t address) {
  static known_pages& known = *new known_pages;
  if (address < 0x10000 || address >> 47 != 0) return nullptr;
  auto* const p = reinterpret_cast<void*>(address);
  if (window::get().holds(p) || in_pinned(p)) return nullptr;
  auto const start = address / system_page * system_page;
  {
    std::lock_guard const lock(known.mutex);
    if (known.constant.count(start)) return nullptr;
  }
  if (msync(reinterpret_cast<void*>(start), system_page, MS_ASYNC) != 0) return nullptr;  // a number: nothing is there
  auto const m = mapping_of(address);
  if (!m) return nullptr;
  if (m->executable) return "a function of the host";
  if (!m->writable) {
    std::lock_guard const lock(known.mutex);
    known.constant.insert(start);
    return nullptr;
  }
  auto const frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (frame >= m->begin && frame < m->end) return "the host's stack";
  return m->of_file ? "a variable of the program" : "the host's memory";
}

}  // namespace

void look_for_host_pointers(void const* object, std::size_t bytes, char const* type, source_location where) {
  for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= bytes; i += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, static_cast<char const*>(object) + i, sizeof word);
    char const* const owner = owner_of(word);
    if (!owner) continue;
    finding f;
    f.what = kind::host_pointer;
    f.kernel = plain_name(type);
    f.element = dolmen::detail::text("its bytes ", i, " to ", i + sizeof word - 1, " are an address of ", owner);
    f.first = place_of(site_of(where));
    report(std::move(f));
    return;
  }
}

}  // namespace dolmen::check::impl
