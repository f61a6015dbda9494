// The quick way: accesses of whole words by one thread in a phase with nothing to report, which most are. The simplest of them were
// judged in the kernel (core/quick_access.hpp), as long as one worker runs the blocks; what is not decided here goes to
// record_slowly().
#include <cstring>

#include "monitor.hpp"

namespace dolmen::check::impl {

using dolmen::detail::access_event;
using dolmen::detail::access_kind;

using dolmen::detail::known_site;
namespace bits = dolmen::detail::record_bits;

// site_of, which most of the time was asked for the same few lines.
constinit thread_local known_site sites_of_thread[dolmen::detail::known_sites] = {};

known_site const* recent_sites() { return sites_of_thread; }

namespace {

inline std::uint64_t site_bits(source_location const& line) {
  known_site& k = sites_of_thread[dolmen::detail::slot_of(line)];
  if (k.bits == 0 || !dolmen::detail::same_line(k.line, line)) k = {line, std::uint64_t(site_of(line)) << 30};
  return k.bits;
}

}  // namespace

// Another worker used the word between the first look at its records and the own record.
[[gnu::cold]] void monitor::came_between(std::uint64_t old, std::uint64_t mine, char const* address, int width, bool of_writes) {
  kind what{};
  auto const other = impl::record::unpack(old), own = impl::record::unpack(mine);
  told_ = {};
  if (conflicts(other, own, false, what))
    found(of_writes ? same_or_race(what, other, address, width, false) : what, address, width, own.where, &other, false);
}

// True if what the record says is ordered before an access of the running thread, as far as that is quickly known.
template <bool Shared>
[[gnu::always_inline]] inline bool monitor::passes(std::uint64_t old, std::uint64_t mine) const {
  auto const when = interval(old & bits::when);
  return when < (Shared ? since_ : settled_) || passes_on_second_look<Shared>(old, mine);
}

template <bool Shared>
bool monitor::passes_on_second_look(std::uint64_t old, std::uint64_t mine) const {
  auto const when = interval(old & bits::when);
  if ((old & bits::kind) != 0 && (mine & bits::kind) != 0 && (Shared || when == now_)) return true;
  if (((old ^ mine) & (bits::when | bits::thread | bits::many)) == 0) return true;
  if (Shared || (old & bits::other) != 0) return false;
  auto const& info = info_of(when);
  return info.operation == launch_.operation && info.block == block_ && info.barrier != barrier_;
}

// What the record of a word's last read becomes by one more read; 0 if touch() has to say. The last one is not settled.
template <bool Shared>
[[gnu::always_inline]] inline std::uint64_t monitor::joined(std::uint64_t read, std::uint64_t mine) const {
  auto const when = interval(read & bits::when);
  if (when == now_) return dolmen::detail::joined_reads(read, mine);
  return Shared || ((read ^ mine) & bits::kind) != 0 ? 0 : joined_with_others(read, mine);
}

std::uint64_t monitor::joined_with_others(std::uint64_t read, std::uint64_t mine) const {
  auto const when = interval(read & bits::when);
  auto const& info = info_of(when);
  if (info.operation != launch_.operation) return 0;
  bool const other = info.block != block_;
  if (other && when < launch_.grid_from.load(std::memory_order_relaxed)) return 0;
  return other ? read | bits::other : mine | (read & bits::other);  // another block's read is the one to keep
}

// The common cases of touch(): nobody else used the word since what is ordered before, or the thread itself did. False: ask
// touch(), which finds the records as they were.
template <bool Shared>
[[gnu::always_inline]] inline bool monitor::pass_read(cell& c, std::uint64_t mine, char const* address, int width) {
  if (!passes<Shared>(c.write.load_relaxed(), mine)) return false;
  auto read = c.read.load_relaxed();
  std::uint64_t next = mine;
  if (interval(read & bits::when) >= (Shared ? since_ : settled_)) {
    next = joined<Shared>(read, mine);
    if (next == 0) return false;
    if (next == read) return true;
  }
  if (Shared || one_worker_) {
    c.read.store_relaxed(next);
    return true;
  }
  if (!c.read.compare_exchange(read, next)) return false;
  if (auto const last_write = c.write.load(); !passes<Shared>(last_write, mine)) [[unlikely]]
    came_between(last_write, mine, address, width, false);
  return true;
}

template <bool Shared>
[[gnu::always_inline]] inline bool monitor::pass_write(cell& c, std::uint64_t mine, char const* address, int width) {
  if (!passes<Shared>(c.write.load_relaxed(), mine)) return false;
  if (auto const read = c.read.load_relaxed(); read != 0 && !passes<Shared>(read, mine)) return false;
  if (!Shared && parted_reads_kept.load(std::memory_order_relaxed) != 0) return false;
  if (Shared || one_worker_) {
    c.read.store_relaxed(0);
    c.write.store_relaxed(mine);
    return true;
  }
  // As in touch(): first the own record, then a look at the others'.
  auto const last_write = c.write.exchange(mine);
  auto const last_read = c.read.load() != 0 ? c.read.exchange(0) : 0;
  if (!passes<Shared>(last_write, mine)) [[unlikely]]
    came_between(last_write, mine, address, width, true);
  else if (!passes<Shared>(last_read, mine)) [[unlikely]]
    came_between(last_read, mine, address, width, false);
  return true;
}

// Whole words, by one thread in a phase, with nothing to report.
template <bool Shared, bool Reads, bool Writes>
[[gnu::always_inline]] inline bool monitor::pass(std::size_t offset, int words, std::uint64_t mine) {
  auto const& m = Shared ? in_shared_ : in_window_;
  char const* const p = m.begin + offset;
  constexpr std::uint32_t ready = 0x01010101 * initialised, fresh = 0x01010101 * allocated;
  // Words that passed here pass again in touch(), if a later one does not.
  for (int i = 0; i < words; ++i) {
    std::uint32_t four;
    std::memcpy(&four, m.states + offset + 4 * i, 4);
    if (m.narrow[offset / 4 + i] != 0) return false;
    if (four != ready && (Reads || four != fresh)) return false;
    cell& c = m.words[offset / 4 + i];
    if (Writes ? !pass_write<Shared>(c, mine, p, 4 * words) : !pass_read<Shared>(c, mine, p, 4 * words)) return false;
  }
  for (int i = 0; Writes && i < words; ++i) std::memcpy(m.states + offset + 4 * i, &ready, 4);
  return true;
}

// The same element again and again: then record_slowly(), whose watch_spin() looks at the clock now and then.
template <bool Reads>
[[gnu::always_inline]] inline bool monitor::polls_not(void const* address) {
  if (Reads && address == quick.polled) return (++quick.polls & 255) != 0;
  quick.polled = Reads ? address : nullptr;
  quick.polls = 0;
  return true;
}

template <bool Reads, bool Writes>
[[gnu::always_inline]] inline bool monitor::quickly(void const* address, int words, source_location const& line, how kind) {
  auto const mine = quick.mine | site_bits(line) | std::uint64_t(kind) << 53;
  auto* const p = static_cast<char const*>(address);
  auto const in_shared = std::size_t(p - in_shared_.begin), in_window = std::size_t(p - in_window_.begin);
  if (in_shared < in_shared_.bytes && in_shared + std::size_t(4 * words) <= in_shared_.bytes)
    return pass<true, Reads, Writes>(in_shared, words, mine) && polls_not<Reads>(p);
  if (in_window >= in_window_.bytes || kind != how::plain) return false;
  return pass<false, Reads, Writes>(in_window, words, mine) && polls_not<Reads>(p);
}

bool monitor::read(void const* address, int width, source_location where) {
  if (quick_words(address, width) &&
      (width == 4 ? quickly<true, false>(address, 1, where, how::plain) : quickly<true, false>(address, width / 4, where, how::plain)))
    return true;
  return read_slowly(address, width, where);
}
bool monitor::write(void const* address, int width, source_location where, void const* value) {
  storing_ = value;
  if (quick_words(address, width) &&
      (width == 4 ? quickly<false, true>(address, 1, where, how::plain) : quickly<false, true>(address, width / 4, where, how::plain)))
    return true;
  return write_slowly(address, width, where, value);
}
[[gnu::noinline]] bool monitor::read_slowly(void const* address, int width, source_location where) {
  return record_slowly({address, width, access_kind::read, where});
}
[[gnu::noinline]] bool monitor::write_slowly(void const* address, int width, source_location where, void const* value) {
  access_event event{address, width, access_kind::write, where};
  event.value = value;
  return record_slowly(event);
}

bool monitor::record(access_event const& event) {
  storing_ = nullptr;
  if (event.kind == access_kind::atomic_update && quick_words(event.address, event.width)) {
    auto const kind = event.scope == memory_scope::device ? how::atomic_in_device : how::atomic_in_block;
    if (quickly<true, true>(event.address, event.width / 4, event.line, kind)) return true;
  }
  return record_slowly(event);
}

}  // namespace dolmen::check::impl
