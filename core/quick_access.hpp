// The first look at an access under the check backend, compiled into the kernel. Most accesses are of whole words which nobody
// else used since the last barrier, and have nothing to report; all others are a call of the recorder.
#pragma once

#if defined(DOLMEN_CHECK)
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "source_location.hpp"

namespace dolmen::detail {

/// A std::atomic<std::uint64_t> without its header. Relaxed where a name says so.
class record_word {
 public:
  std::uint64_t load() const { return __atomic_load_n(&bits_, __ATOMIC_SEQ_CST); }
  std::uint64_t load_relaxed() const { return __atomic_load_n(&bits_, __ATOMIC_RELAXED); }
  void store_relaxed(std::uint64_t bits) { __atomic_store_n(&bits_, bits, __ATOMIC_RELAXED); }
  std::uint64_t exchange(std::uint64_t bits) { return __atomic_exchange_n(&bits_, bits, __ATOMIC_SEQ_CST); }
  bool compare_exchange(std::uint64_t& expected, std::uint64_t bits) {
    return __atomic_compare_exchange_n(&bits_, &expected, bits, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

 private:
  std::uint64_t bits_ = 0;
};

/// The newest write of 4 bytes of memory, and the newest read since then.
struct access_records {
  record_word write, read;
};

/// What a record says; backends/check/record.hpp has the meanings.
namespace record_bits {
inline constexpr std::uint64_t when = 0x3fffffff, site = std::uint64_t(0x1fff) << 30, thread = std::uint64_t(0x3ff) << 43,
                               warp_of_thread = std::uint64_t(0x3e0) << 43, kind = std::uint64_t(3) << 53,
                               in_block = std::uint64_t(1) << 53, in_device = std::uint64_t(2) << 53, epoch = std::uint64_t(0x3f) << 55,
                               many = std::uint64_t(3) << 61, warp = std::uint64_t(1) << 61, block = std::uint64_t(2) << 61,
                               other = std::uint64_t(1) << 63;
}

/// True if a word's reads on record need no change to say this one too: of the same line, by others of the warp or the block.
[[gnu::always_inline]] inline bool covered(std::uint64_t read, std::uint64_t mine) {
  using namespace record_bits;
  return ((read ^ mine) & (when | site | kind | epoch | warp_of_thread)) == 0 && (read & many) != 0;
}

/// States of a byte.
inline constexpr std::uint8_t unallocated = 0, allocated = 1, initialised = 3, freed = 4;

/// Lines whose number was asked for lately, by a hash of the line.
struct known_site {
  source_location line;
  std::uint64_t bits = 0;  // the number, where a record has it
};
inline constexpr std::size_t known_sites = 256;

[[gnu::always_inline]] inline std::size_t slot_of(source_location const& line) {
  auto const file = reinterpret_cast<std::uintptr_t>(line.file_name());
  return (file / 8 + line.line() * 31 + line.column()) % known_sites;
}
[[gnu::always_inline]] inline bool same_line(source_location const& a, source_location const& b) {
  return a.file_name() == b.file_name() && a.line() == b.line() && a.column() == b.column();
}

/// What the record of a word's last read becomes by one more read of the same interval; 0 if that is not told by the records alone.
[[gnu::noinline, gnu::const]] inline std::uint64_t joined_reads(std::uint64_t read, std::uint64_t mine) {
  using namespace record_bits;
  auto const differ = read ^ mine;
  if ((differ & (kind | when)) != 0) return 0;
  auto many_now = read & many;
  if (many_now == block && (differ & site) == 0) return read;
  if (auto const threads = differ & thread; threads != 0)
    many_now = threads >= (thread & -thread) * 32 ? block : many_now == block ? many_now : warp;
  return mine | many_now | (read & other);
}

/// A stretch of memory with its records.
struct watched_memory {
  char* begin = nullptr;
  std::size_t bytes = 0;  // 0: every access is a call
  std::ptrdiff_t to_open = 0;
  std::uint8_t *states = nullptr, *narrow = nullptr;
  access_records* words = nullptr;
  std::uint64_t since = 0;  // what was used before this interval is in order with what comes
};

/// The state of the thread that runs, as far as the first look needs it.
struct quick_look {
  watched_memory shared, global;
  std::uint64_t mine = 0;  // the record of a plain access, but for its line
  known_site const* sites = nullptr;
  void const* polled = nullptr;  // the address of the last read, and how many reads of it came one after the other
  std::uint64_t polls = 0;

  /// The memory to use, with the access on record; null if the recorder has to say. An atomic update is a write with a kind, and
  /// only decided here for shared memory.
  template <bool Writes, int Words, std::uint64_t Kind = 0>
  [[gnu::always_inline]] char* pass(void const* address, source_location const& line) {
    using namespace record_bits;
    constexpr std::uint32_t ready = 0x01010101 * initialised, fresh = 0x01010101 * allocated;
    char* const p = static_cast<char*>(const_cast<void*>(address));
    watched_memory const* m = &shared;
    auto offset = std::size_t(p - m->begin);
    if (offset >= m->bytes) {
      if (Kind != 0) return nullptr;
      m = &global;
      offset = std::size_t(p - m->begin);
      if (offset >= m->bytes) return nullptr;
    }
    known_site const& s = sites[slot_of(line)];
    if ((offset & 3) != 0 || (Words > 1 && offset + 4 * (Words - 1) >= m->bytes) || !same_line(s.line, line)) return nullptr;
    auto const own = mine | s.bits | Kind;
    auto const in_order = [&](std::uint64_t r) {
      return (r & when) < m->since || ((r ^ own) & (when | thread | many)) == 0 || (Kind != 0 && (r & kind) != 0);
    };
    // Words that pass here pass again in the recorder, if a later one does not.
    for (int i = 0; i < Words; ++i) {
      std::uint32_t four;
      std::memcpy(&four, m->states + offset + 4 * i, 4);
      access_records& c = m->words[offset / 4 + i];
      if (m->narrow[offset / 4 + i] != 0 || !in_order(c.write.load_relaxed())) return nullptr;
      auto const read = c.read.load_relaxed();
      if constexpr (Writes) {
        if ((four != ready && (Kind != 0 || four != fresh)) || !in_order(read)) return nullptr;
        c.read.store_relaxed(0);
        c.write.store_relaxed(own);
      } else {
        if (four != ready) return nullptr;
        if (covered(read, own)) continue;
        auto next = own;
        if ((read & when) >= m->since) {
          next = joined_reads(read, own);
          if (next == 0) return nullptr;
        }
        c.read.store_relaxed(next);
      }
    }
    for (int i = 0; Writes && i < Words; ++i) std::memcpy(m->states + offset + 4 * i, &ready, 4);
    if constexpr (Writes && Kind == 0) {
      polled = nullptr;
    } else if (address != polled) {
      polled = address;
      polls = 0;
    } else if ((polls + 1) % 256 == 0) {
      return nullptr;  // the same element again and again: the recorder counts this one, and looks at the clock
    } else {
      ++polls;
    }
    return p + m->to_open;
  }
};

}  // namespace dolmen::detail
#endif
