// What the monitor says of a finding: places, and elements by their names.
#include <new>
#include <utility>

#include "monitor.hpp"
#include "shared_names.hpp"

namespace dolmen::check::impl {
namespace {

std::array<int, 3> coordinates(std::uint32_t number, block_index grid) {
  auto const b = dolmen::detail::split(number, grid);
  return {b.x, b.y, b.z};
}

constexpr std::array<int, 3> in_function{-2, -2, -2};

void set_block(place& p, launch_state const& launch, std::uint32_t block, int thread) {
  p.block = launch.of_functions ? in_function : coordinates(block, launch.grid);
  p.thread = launch.of_functions ? -1 : thread;
}

}  // namespace

place monitor::here(site s) const {
  place p = place_of(s);
  set_block(p, launch_, block_, thread);
  return p;
}

place monitor::there(impl::record const& r, bool in_shared) const {
  place p = place_of(r.where);
  auto const info = info_of(r.when);
  auto const& o = operation(info.operation);
  if (in_shared) {
    p.block = coordinates(block_, launch_.grid);
  } else if (o.name.starts_with("launch")) {
    p.block = coordinates(info.block, o.grid);
  } else {
    if (info.block != 0) p.block = in_function;
    return p;
  }
  p.thread = r.many == readers::block ? -1 : int(r.thread);
  return p;
}

// "line(77)", or "line" for the whole; empty where that is not known.
std::string monitor::name_in_shared(std::size_t offset, bool element) const {
  if (!launch_.layout) return "";
  for (int i = 0; i < launch_.layout->count; ++i) {
    auto const& m = launch_.layout->members[i];
    std::size_t elements = 1;
    for (int n : m.extent) elements *= std::size_t(max(n, 1));
    if (offset < m.offset || offset >= m.offset + elements * std::size_t(m.width)) continue;
    std::string const name = m.name.empty() ? dolmen::detail::text("tile ", i) : std::string(m.name);
    if (!element) return name;
    std::string indices;
    std::size_t left = (offset - m.offset) / std::size_t(m.width);
    for (int d = 2; d >= 0; --d) {
      if (m.extent[d] == 0) continue;
      indices = dolmen::detail::text(d > 0 ? ", " : "", left % std::size_t(m.extent[d]), indices);
      left /= std::size_t(m.extent[d]);
    }
    return name + "(" + indices + ")";
  }
  return "";
}

std::string monitor::name_of_element(void const* address, int width, bool in_shared) const {
  if (!in_shared) return describe_address(address, width);
  auto const offset = static_cast<char const*>(address) - shared_.begin;
  auto const name = name_in_shared(std::size_t(offset), true);
  return dolmen::detail::text(name, name.empty() ? "" : ", ", "byte ", offset, " (", width, " bytes) of the block's shared memory");
}

void monitor::found(kind what, void const* address, int width, site mine, impl::record const* other, bool in_shared) {
  if (other) {  // once per access, though each of its words has a record
    if (told_ == std::pair(what, other->where)) return;
    told_ = {what, other->where};
  }
  finding f;
  f.what = what;
  f.kernel = launch_.kernel;
  f.element = name_of_element(address, width, in_shared);
  if (what == kind::stream_order && other) {  // the operations are what wants an order
    auto const line = here(mine);
    f.element += dolmen::detail::text(", here used at ", line.file, ":", line.line);
    f.first = place_of(operation(launch_.operation).where);
    f.second = place_of(operation(info_of(other->when).operation).where);
  } else {
    f.first = here(mine);
    if (other) f.second = there(*other, in_shared);
  }
  report(std::move(f));
}

namespace {
// A write to any of the bytes that the read was not ordered with: `parted` says so of a record.
template <class Parted>
bool written_beside(early_use const& e, bool narrow, cell const& word, cell const* single, Parted&& parted) {
  auto const races = [&](impl::record const& r) { return r && !(e.atomic && r.kind != how::plain) && parted(r); };
  if (races(impl::record::unpack(word.write.load()))) return true;
  for (int i = 0; narrow && i < e.width; ++i)
    if (races(impl::record::unpack(single[i].write.load()))) return true;
  return false;
}
}  // namespace

// At a barrier: what was written since the last one is in no order with the other threads' reads.
void monitor::judge_early() {
  for (auto const& e : early_) {
    auto const at = std::size_t(e.address - shared_.begin);
    bool const race = written_beside(e, shared_.narrow[at / 4], shared_.words[at / 4], &shared_.singles[at], [&](impl::record const& r) {
      auto const info = info_of(r.when);
      return r.when >= first_ && info.block == block_ && info.operation == launch_.operation && info.barrier == e.barrier &&
             (int(r.thread) != e.thread || r.many == readers::block);
    });
    if (race) continue;
    int const now = std::exchange(thread, e.thread);
    found(kind::uninitialised, e.address, e.width, e.where, nullptr, true);
    thread = now;
  }
  early_.clear();
}

void launch_state::judge_early() {
  auto const& w = window::get();
  for (auto const& e : early) {
    bool const race = written_beside(e, w.narrow(e.address), w.word_cell(e.address), &w.byte_cell(e.address), [&](impl::record const& r) {
      auto const info = info_of(r.when);
      if (info.operation != operation) return false;
      return info.block != e.block || (info.barrier == e.barrier && (int(r.thread) != e.thread || r.many == readers::block));
    });
    if (race) continue;
    finding f;
    f.what = kind::uninitialised;
    f.kernel = kernel;
    f.element = describe_address(e.address, e.width);
    f.first = place_of(e.where);
    set_block(f.first, *this, e.block, e.thread);
    report(std::move(f));
  }
  early.clear();
}

void monitor::misaligned(void const* address, int width, index_t index, source_location where) {
  misuse(kind::misaligned,
         dolmen::detail::text("the pack of ", width, " bytes at index ", index, " begins ",
                              reinterpret_cast<std::uintptr_t>(address) % std::uintptr_t(width), " bytes behind a multiple of its size"),
         where);
}

void monitor::misuse(kind what, std::string text, source_location where) try {
  finding f;
  f.what = what;
  f.kernel = launch_.kernel;
  f.element = std::move(text);
  f.first = here(site_of(where));
  report(std::move(f));
} catch (std::bad_alloc const&) {
  no_memory();
}

void monitor::pointer_outside(char const* address, allocation_info const& nearest) try {
  finding f;
  f.what = nearest.live || nearest.bytes == 0 ? kind::out_of_bounds : kind::use_after_free;
  f.kernel = launch_.kernel;
  f.element = describe_address(address, 0) + ", through a pointer; the line is that of the phase";
  f.first = here(launch_.of_functions ? operation(launch_.operation).where : site_of(phase));
  f.second = place_of(nearest.where);
  report(std::move(f));
} catch (std::bad_alloc const&) {  // a handler of signals throws nothing
  launch_.lost = true;
}

void monitor::outside(void const* base, index_t index, index_t extent, int dimension, source_location where) try {
  finding f;
  f.what = kind::out_of_bounds;
  f.kernel = launch_.kernel;
  std::string owner;
  if (shared_.holds(base)) {
    owner = name_in_shared(std::size_t(static_cast<char const*>(base) - shared_.begin), false);
    owner += owner.empty() ? "shared memory" : " in shared memory";
  } else {
    owner = describe_address(base, 0);
  }
  f.element = dolmen::detail::text("index ", index, " of dimension ", dimension, ", which has ", extent, " elements, of ", owner);
  f.first = here(site_of(where));
  report(std::move(f));
} catch (std::bad_alloc const&) {
  no_memory();
}

}  // namespace dolmen::check::impl
