// Device memory of the check backend: one range of addresses that programs hold but cannot touch, and a second mapping of
// the same memory through which kernels and the library do. Beside it lie a state per byte and records per word.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../core/access.hpp"
#include "sites.hpp"

namespace dolmen::check::impl {

/// The newest read and write of a word, or of a byte where it is accessed by single bytes and pairs. See record.hpp.
using cell = dolmen::detail::access_records;

using dolmen::detail::allocated;
using dolmen::detail::freed;
using dolmen::detail::initialised;
using dolmen::detail::unallocated;

struct allocation_info {
  char* begin = nullptr;
  std::size_t bytes = 0;
  site where = 0;                           // that allocated it
  std::uint32_t made_by = 0, freed_by = 0;  // operations
  bool live = false, pooled = true;
  char const* name = nullptr;  // given by check::name
  std::uint64_t number = 0;
};

/// The memory is reserved when first used and never given back to the system.
class window {
 public:
  DOLMEN_API static window& get();

  /// Aligned to 256 bytes, from addresses that were not used recently. Null when the window is full.
  char* allocate(std::size_t bytes, site where, std::uint32_t operation, bool pooled);
  enum class outcome { done, unknown, twice };
  outcome release(char* data, std::uint32_t operation);
  /// Copies of what is known: by any address in it; also of freed ones for a while. `live` false and no bytes: unknown.
  allocation_info find(void const* address) const;
  void name(void const* address, char const* text);
  std::size_t free_bytes() const;
  /// What the pool would hand out: all but direct allocations.
  std::size_t pooled() const;
  std::size_t peak() const;
  void reset_peak();
  /// Reports what was never released.
  void report_leaks() const;

  bool holds(void const* p) const { return p >= begin_ && p < end_; }
  char* begin() const { return begin_; }
  char* end() const { return end_; }
  std::size_t bytes() const { return std::size_t(end_ - begin_); }
  // The first of each, for who knows the offset.
  std::uint8_t* states() const { return states_; }
  std::uint8_t* narrows() const { return narrow_; }
  cell* word_cells() const { return words_; }
  /// The second mapping.
  char* reach(void const* p) const { return static_cast<char*>(const_cast<void*>(p)) + to_open_; }

  std::uint8_t* state(void const* p) const { return states_ + (static_cast<char const*>(p) - begin_); }
  cell& word_cell(void const* p) const { return words_[(static_cast<char const*>(p) - begin_) / 4]; }
  cell& byte_cell(void const* p) const { return bytes_[static_cast<char const*>(p) - begin_]; }
  /// True once any byte or pair of this word was accessed on its own.
  std::uint8_t& narrow(void const* p) const { return narrow_[(static_cast<char const*>(p) - begin_) / 4]; }

  /// Lets the program touch the pages of these addresses, until close(). False if the system refuses.
  bool open(char* from, char* to, bool writable);
  /// Makes all of it untouchable again.
  void close();
  /// For the begin of operations: puts back the fault handler, which test frameworks replace, and closes what is open.
  void guard();

  /// For a fork: the child's memory is a copy, made while the parent waits, since the mappings of both would show one memory.
  void copy_for_child();
  void become_childs();

 private:
  window();
  struct lists;
  char *begin_ = nullptr, *end_ = nullptr;
  std::ptrdiff_t to_open_ = 0;
  std::uint8_t *states_ = nullptr, *narrow_ = nullptr;
  cell *words_ = nullptr, *bytes_ = nullptr;
  std::atomic<bool> opened_{false};
  lists& lists_;
};

}  // namespace dolmen::check::impl
