// What is known of the block that runs on this thread, and the judgement of each access.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "course.hpp"
#include "operation_info.hpp"
#include "window.hpp"

namespace dolmen::check::impl {

class clocks;
struct shared_layout;

/// The calling thread's table of lines, which the quick way fills.
dolmen::detail::known_site const* recent_sites();

/// Memory was read that nobody had written. If a write without order to the read comes later, the mistake is a race, which is
/// reported as one: what it is must not depend on who came first.
struct early_use {
  char const* address;
  int width;
  site where;
  interval when;
  std::uint32_t barrier;
  int thread;
  std::uint32_t block;
  bool atomic;  // no race with other atomics
};

/// One launch: what its blocks share.
struct launch_state {
  shared_layout const* layout = nullptr;  // null: not known
  operation_number operation = 0;
  std::string kernel;
  dolmen::block_index grid{1, 1, 1};
  source_location where;
  bool cooperative = false, one_worker = false;
  bool of_functions = false;           // no kernel: the calls of a user's functions by an algorithm
  interval settled = 0;                // see operation_info
  std::atomic<interval> grid_from{0};  // intervals before this one are ordered before every block, by a grid barrier
  std::atomic<bool> given_up{false};   // a block ended with an exception, or the launch hangs
  std::atomic<bool> lost{false};       // no memory was left for a report
  std::shared_ptr<clocks> order;       // releases and acquires between blocks
  std::mutex mutex;
  std::vector<early_use> early;  // in global memory
  std::atomic<int> waits{50};    // for values of other workers, see monitor::same_or_race

  /// When all blocks have ended: reports what was read and is no race.
  void judge_early();
};

/// Held while a launch, or an algorithm's calls of a user's functions, leave records: one worker does not look for others.
std::mutex& one_launch_at_a_time();

/// Shared memory of the block at hand, with its records.
struct shared_memory {
  char* begin = nullptr;
  std::size_t bytes = 0;
  std::vector<std::uint8_t> states, narrow;
  std::unique_ptr<cell[]> words, singles;
  std::size_t capacity = 0;

  void start(char* memory, std::size_t size);
  bool holds(void const* p) const { return p >= begin && p < begin + bytes; }
};

/// A copy_async that may be under way.
struct pending_copy {
  char const *to, *to_end;
  char const *from, *from_end;  // of the rows' span
  int group;
  bool landed;  // waited for: a barrier is still missing
  site where;
};

/// Takes the accesses of one block.
class monitor final : public course {
 public:
  monitor(launch_state& launch, std::uint32_t block, shared_memory& shared, std::uint64_t seed);
  ~monitor();
  monitor(monitor const&) = delete;

  // --- accesses ---------------------------------------------------------------------------------------------------------
  bool record(dolmen::detail::access_event const& event) override;
  bool read(void const* address, int width, source_location where) override;
  bool write(void const* address, int width, source_location where, void const* value) override;
  void performed() override;
  void outside(void const* base, index_t index, index_t extent, int dimension, source_location where) override;
  void misaligned(void const* address, int width, index_t index, source_location where) override;
  void uses_value(dolmen::thread const& owner, int neighbours, source_location where) override;
  void collective() override;

  // --- the shape of the block's course ----------------------------------------------------------------------------------
  void phase_begins(source_location where) override;
  void phase_ends(int outer_thread, int outer_lanes) override;

  void barrier(source_location where, char const* what) override;
  void grid_barrier(interval from);
  void warp_barrier() override;
  bool nested(source_location where, char const* what) override;
  bool misplaced(source_location where, char const* what) override;
  void frame_written(source_location where, int rank) override;
  void misuse(kind what, std::string text, source_location where) override;

  void copy_begins(char const* to, char const* to_end, char const* from, char const* from_end, source_location where) override;
  void commit() override;
  void wait(int newest) override;

  /// For records: out_of_memory. A kernel's own std::bad_alloc is left to it.
  [[noreturn]] void no_memory() const;
  /// The kernel goes through a pointer to memory that is in no live allocation; `nearest` is what is known of the address.
  void pointer_outside(char const* address, allocation_info const& nearest);

  launch_state& launch() { return launch_; }
  interval now() const { return now_; }
  std::uint32_t block() const { return block_; }

 private:
  friend class clocks;
  void next_interval();
  place here(site s) const;
  place there(dolmen::check::impl::record const& r, bool in_shared) const;
  bool conflicts(dolmen::check::impl::record const& earlier, dolmen::check::impl::record const& mine, bool in_shared, kind& what) const;
  void touch(cell& c, dolmen::check::impl::record mine, bool reads, bool writes, void const* address, int width, bool in_shared);
  void judge_early();
  void found(kind what, void const* address, int width, site mine, dolmen::check::impl::record const* other, bool in_shared);
  bool readable(std::uint8_t const* states, int width, void const* address, site where, bool reads, bool atomic, bool in_shared);
  // --- the quick way, for accesses with nothing to report
  template <bool Shared>
  bool passes(std::uint64_t old, std::uint64_t mine) const;
  template <bool Shared>
  bool passes_on_second_look(std::uint64_t old, std::uint64_t mine) const;
  template <bool Shared>
  std::uint64_t joined(std::uint64_t read, std::uint64_t mine) const;
  std::uint64_t joined_with_others(std::uint64_t read, std::uint64_t mine) const;
  template <bool Shared>
  bool pass_read(cell& c, std::uint64_t mine, char const* address, int width);
  template <bool Shared>
  bool pass_write(cell& c, std::uint64_t mine, char const* address, int width);
  template <bool Shared, bool Reads, bool Writes>
  bool pass(std::size_t offset, int words, std::uint64_t mine);
  template <bool Reads, bool Writes>
  bool quickly(void const* address, int words, source_location const& line, how kind);
  bool quick_words(void const* address, int width) const {
    return quick_ && ((reinterpret_cast<std::uintptr_t>(address) | unsigned(width)) & 3) == 0;
  }
  bool read_slowly(void const* address, int width, source_location where);
  bool write_slowly(void const* address, int width, source_location where, void const* value);
  kind same_or_race(kind what, dolmen::check::impl::record const& writer, void const* address, int width, bool in_shared);
  template <bool Reads>
  bool polls_not(void const* address);
  void came_between(std::uint64_t old, std::uint64_t mine, char const* address, int width, bool of_writes);
  bool record_slowly(dolmen::detail::access_event const& event);
  void by_all(dolmen::detail::access_event const& event, site where, bool in_shared);
  void watch_spin(dolmen::detail::access_event const& event);
  void check_pending(char const* p, int width, bool writes, site where);
  std::string name_in_shared(std::size_t offset, bool element) const;
  std::string name_of_element(void const* address, int width, bool in_shared) const;

  bool quick_ = false;  // a phase runs, no copy is under way, and nobody else listens
  dolmen::detail::watched_memory in_shared_, in_window_;
  launch_state& launch_;
  std::uint32_t const block_;
  shared_memory& shared_;
  interval first_;
  interval settled_;  // the launch's
  interval since_;    // the first interval after the last barrier
  window const& window_;
  bool const one_worker_;
  std::uint32_t barrier_ = 0;  // barriers of the block so far
  std::vector<pending_copy> pending_;
  int group_ = 0;
  std::vector<early_use> early_;                       // in shared memory, since the last barrier
  std::pair<kind, site> told_{};                       // of the access at hand
  void const* storing_ = nullptr;                      // what the access at hand is to write, if that is known
  bool told_nested_ = false;                           // in the phase that runs
  std::unique_lock<std::recursive_mutex> performing_;  // an atomic operation: its release and acquire come in the order of its effects
  std::uint64_t looked_ = 0;                           // how often `quick.polled` had been read at the last look at the clock
  std::chrono::steady_clock::time_point polling_since_;
  dolmen::detail::access_recorder* before_;
};

/// The monitor of the block that the calling thread runs; null outside of kernels.
monitor* current_monitor();

/// Releases and acquires between the blocks of a launch.
class clocks {
 public:
  /// Keeps the others' releases and acquires away until an atomic operation has been done as well as noted. Otherwise a block
  /// could note its acquire, another one note and do its release, and the first then see what it never acquired.
  std::unique_lock<std::recursive_mutex> hold() { return std::unique_lock(mutex_); }

  void release(monitor const& m, void const* address);
  void acquire(monitor const& m, void const* address);
  /// A fence gives what relaxed atomics before or after it lack.
  void fence(monitor const& m, bool acquires, bool releases);
  void relaxed(monitor const& m, void const* address, bool reads, bool writes);
  /// True if what this record says happened before what the monitor's thread does now.
  bool has_acquired(std::uint32_t block);
  bool ordered(monitor const& m, std::uint32_t block, record const& earlier);

 private:
  struct entry {
    interval when;
    unsigned thread;
    bool whole;  // all threads of the interval, not only the one
    std::size_t position;
  };
  // What was released to one address: grows only.
  struct log {
    std::unordered_map<std::uint32_t, std::vector<entry>> blocks;
    std::vector<std::pair<std::shared_ptr<log>, std::size_t>> links;  // to other logs, as far as they were then
    std::vector<std::size_t> link_positions;
    std::size_t length = 0;
  };
  struct seen {
    std::shared_ptr<log> what;
    std::size_t length;
    interval since;
    int thread;  // -1: the whole block
  };
  struct per_block {
    std::vector<seen> acquired, possible;
    interval fence_released = 0;
    int fence_thread = -1;
  };
  static bool holds(log const& l, std::size_t length, std::uint32_t block, record const& earlier, int depth);
  void add(log& l, monitor const& m);

  std::recursive_mutex mutex_;
  std::unordered_map<void const*, std::shared_ptr<log>> logs_;
  std::unordered_map<std::uint32_t, per_block> blocks_;
};

}  // namespace dolmen::check::impl
