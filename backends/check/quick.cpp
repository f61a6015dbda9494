// The quick way: accesses of whole words by one thread in a phase with nothing to report, which most are. What is not decided here
// goes to record_slowly().
#include <cstring>

#include "monitor.hpp"

namespace dolmen::check::impl {

using dolmen::detail::access_event;
using dolmen::detail::access_kind;

namespace {

constexpr std::uint64_t when_bits = 0x3fffffff, thread_bits = std::uint64_t(0x3ff) << 43, kind_bits = std::uint64_t(3) << 53,
                        many_bits = std::uint64_t(3) << 61, warp_bits = std::uint64_t(1) << 61, block_bits = std::uint64_t(2) << 61,
                        site_bits = std::uint64_t(0x1fff) << 30, other_bit = std::uint64_t(1) << 63;

// site_of, which most of the time was asked for the same few lines.
constexpr std::size_t sites_kept = 256;
struct known_site {
  source_location line;
  site number = 0;
};
constinit thread_local known_site recent_sites[sites_kept] = {};

[[gnu::always_inline]] inline known_site& slot_of(source_location const& line) {
  std::uintptr_t key;
  static_assert(sizeof line >= sizeof key);
  std::memcpy(&key, &line, sizeof key);  // g++: a pointer to the place that the compiler wrote down; clang 14: the file
  if constexpr (sizeof line > sizeof key) key += 8 * (line.line() * 31 + line.column());
  return recent_sites[key / 8 % sites_kept];
}

// 0: not known any more; keep_site() brings it back.
[[gnu::always_inline]] inline site recent_site(source_location const& line) {
  known_site const& k = slot_of(line);
  if constexpr (sizeof line == sizeof(std::uintptr_t))
    return std::memcmp(&k.line, &line, sizeof line) == 0 ? k.number : 0;
  else
    return k.line.file_name() == line.file_name() && k.line.line() == line.line() && k.line.column() == line.column() ? k.number : 0;
}
inline void keep_site(source_location const& line) {
  if (recent_site(line) == 0) slot_of(line) = {line, site_of(line)};
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
  auto const when = interval(old & when_bits);
  return when < (Shared ? since_ : settled_) || passes_on_second_look<Shared>(old, mine);
}

template <bool Shared>
bool monitor::passes_on_second_look(std::uint64_t old, std::uint64_t mine) const {
  auto const when = interval(old & when_bits);
  if ((old & kind_bits) != 0 && (mine & kind_bits) != 0 && (Shared || when == now_)) return true;
  if (((old ^ mine) & (when_bits | thread_bits | many_bits)) == 0) return true;
  if (Shared || (old & other_bit) != 0) return false;
  auto const& info = info_of(when);
  return info.operation == launch_.operation && info.block == block_ && info.barrier != barrier_;
}

// What the record of a word's last read becomes by one more read; 0 if touch() has to say. The last one is not settled.
template <bool Shared>
[[gnu::always_inline]] inline std::uint64_t monitor::joined(std::uint64_t read, std::uint64_t mine) const {
  auto const differ = read ^ mine;
  if ((differ & kind_bits) != 0) return 0;
  auto const when = interval(read & when_bits);
  if (when == now_) {
    auto many = read & many_bits;
    if (many == block_bits && (differ & site_bits) == 0) return read;
    if (auto const threads = differ & thread_bits; threads != 0)
      many = threads >= (thread_bits & -thread_bits) * warp_size ? block_bits : many == block_bits ? many : warp_bits;
    return mine | many | (read & other_bit);
  }
  return Shared ? 0 : joined_with_others(read, mine);
}

std::uint64_t monitor::joined_with_others(std::uint64_t read, std::uint64_t mine) const {
  auto const when = interval(read & when_bits);
  auto const& info = info_of(when);
  if (info.operation != launch_.operation) return 0;
  bool const other = info.block != block_;
  if (other && when < launch_.grid_from.load(std::memory_order_relaxed)) return 0;
  return other ? read | other_bit : mine | (read & other_bit);  // another block's read is the one to keep
}

// The common cases of touch(): nobody else used the word since what is ordered before, or the thread itself did. False: ask
// touch(), which finds the records as they were.
template <bool Shared>
[[gnu::always_inline]] inline bool monitor::pass_read(cell& c, std::uint64_t mine, char const* address, int width) {
  if (!passes<Shared>(c.write.load(std::memory_order_relaxed), mine)) return false;
  auto read = c.read.load(std::memory_order_relaxed);
  std::uint64_t next = mine;
  if (interval(read & when_bits) >= (Shared ? since_ : settled_)) {
    next = joined<Shared>(read, mine);
    if (next == 0) return false;
    if (next == read) return true;
  }
  if (Shared || one_worker_) {
    c.read.store(next, std::memory_order_relaxed);
    return true;
  }
  if (!c.read.compare_exchange_strong(read, next)) return false;
  if (auto const last_write = c.write.load(); !passes<Shared>(last_write, mine)) [[unlikely]]
    came_between(last_write, mine, address, width, false);
  return true;
}

template <bool Shared>
[[gnu::always_inline]] inline bool monitor::pass_write(cell& c, std::uint64_t mine, char const* address, int width) {
  if (!passes<Shared>(c.write.load(std::memory_order_relaxed), mine)) return false;
  if (auto const read = c.read.load(std::memory_order_relaxed); read != 0 && !passes<Shared>(read, mine)) return false;
  if (!Shared && parted_reads_kept.load(std::memory_order_relaxed) != 0) return false;
  if (Shared || one_worker_) {
    c.read.store(0, std::memory_order_relaxed);
    c.write.store(mine, std::memory_order_relaxed);
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
  if (Reads && address == polled_) return (++polls_ & 255) != 0;
  polled_ = Reads ? address : nullptr;
  polls_ = 0;
  return true;
}

template <bool Reads, bool Writes>
[[gnu::always_inline]] inline bool monitor::quickly(void const* address, int words, source_location const& line, how kind) {
  auto const s = recent_site(line);
  if (s == 0) return false;
  auto const mine = mine_ | std::uint64_t(s) << 30 | std::uint64_t(kind) << 53;
  auto* const p = static_cast<char const*>(address);
  auto const in_shared = std::size_t(p - in_shared_.begin), in_window = std::size_t(p - in_window_.begin);
  if (in_shared + std::size_t(4 * words) <= in_shared_.bytes)
    return pass<true, Reads, Writes>(in_shared, words, mine) && polls_not<Reads>(p);
  if (in_window >= in_window_.bytes || kind != how::plain) return false;
  return pass<false, Reads, Writes>(in_window, words, mine) && polls_not<Reads>(p);
}

// One word of shared memory is judged here, in few registers; all else follows in tail calls, so that what it needs of the
// stack is its own.
bool monitor::read(void const* address, int width, source_location where) {
  if (auto const offset = std::size_t(static_cast<char const*>(address) - in_shared_.begin);
      offset + 4 <= in_shared_.bytes && quick_ && width == 4 && offset % 4 == 0) {
    if (auto const s = recent_site(where);
        s != 0 && pass<true, true, false>(offset, 1, mine_ | std::uint64_t(s) << 30) && polls_not<true>(address)) [[likely]]
      return true;
  }
  return read_otherwise(address, width, where);
}
bool monitor::write(void const* address, int width, source_location where, void const* value) {
  if (auto const offset = std::size_t(static_cast<char const*>(address) - in_shared_.begin);
      offset + 4 <= in_shared_.bytes && quick_ && width == 4 && offset % 4 == 0) {
    if (auto const s = recent_site(where);
        s != 0 && pass<true, false, true>(offset, 1, mine_ | std::uint64_t(s) << 30) && polls_not<false>(address)) [[likely]]
      return true;
  }
  return write_otherwise(address, width, where, value);
}

[[gnu::noinline]] bool monitor::read_otherwise(void const* address, int width, source_location where) {
  if (quick_words(address, width)) {
    keep_site(where);
    if (width == 4 ? quickly<true, false>(address, 1, where, how::plain) : quickly<true, false>(address, width / 4, where, how::plain))
      return true;
  }
  return read_slowly(address, width, where);
}
[[gnu::noinline]] bool monitor::write_otherwise(void const* address, int width, source_location where, void const* value) {
  storing_ = value;
  if (quick_words(address, width)) {
    keep_site(where);
    if (width == 4 ? quickly<false, true>(address, 1, where, how::plain) : quickly<false, true>(address, width / 4, where, how::plain))
      return true;
  }
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
  keep_site(event.line);
  storing_ = nullptr;
  if (event.kind == access_kind::atomic_update && quick_words(event.address, event.width)) {
    auto const kind = event.scope == memory_scope::device ? how::atomic_in_device : how::atomic_in_block;
    if (quickly<true, true>(event.address, event.width / 4, event.line, kind)) return true;
  }
  return record_slowly(event);
}

}  // namespace dolmen::check::impl
