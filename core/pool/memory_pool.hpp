// A caching, stream-ordered memory pool: one per device, the same on every backend.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

#include "../error.hpp"
#include "../pool.hpp"
#include "ordering.hpp"

namespace dolmen::detail {

/// Where a pool gets its memory: the backend's plain allocation.
struct memory_source {
  /// Null when memory ran out.
  std::function<void*(std::size_t bytes)> allocate;
  std::function<void(void*, std::size_t bytes)> release;
  /// Returns when the device is idle, so that memory in flight may be released; false if it could not wait.
  std::function<bool()> drain;
  /// Free bytes of the device, for error texts.
  std::function<std::size_t()> available;
  std::string name;
};

struct pool_segment;

/// A stretch of a segment, free or handed out. Neighbours are linked in address order, free ones also by size.
struct pool_block {
  char* data;
  std::size_t bytes;
  pool_segment* segment;
  pool_block *before, *after;
  pool_block *free_before, *free_after;
  std::shared_ptr<stream_order> freed_on;  // null: no work may still use it
  std::uint64_t freed_at;
  bool free;
};

/// Best-fit by size class with immediate merging (after TLSF: Masmano et al., ECRTS 2004), where a block remembers the
/// stream and position at which it was freed. A stream takes blocks that it runs after; two free neighbours merge when
/// that leaves one position to wait for. Thread-safe. All memory is aligned to 256 bytes.
class DOLMEN_API memory_pool {
 public:
  static constexpr std::size_t granule = 512, alignment = pool_alignment;

  explicit memory_pool(memory_source source);
  memory_pool(memory_pool const&) = delete;
  ~memory_pool();

  /// Throws out_of_memory after everything that could be released has been. bytes > 0.
  pool_block* allocate(std::size_t bytes, stream_order const& stream, source_location where);
  /// The memory may be handed out again to whatever runs after this point of the stream.
  void free(pool_block* block, std::shared_ptr<stream_order> const& stream) noexcept;
  /// The memory is idle: any stream may have it.
  void free_idle(pool_block* block) noexcept;

  /// Gives back every segment that is not in use. Waits for the device if it has to.
  void trim();
  /// Between the two nobody else changes the pool, so that a process which is forked there has it whole.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  pool_statistics statistics() const;
  void reset_peak();

 private:
  static constexpr int classes = 4 * 64;

  pool_block* find(std::size_t bytes, stream_order const& stream, bool cut_anything);
  pool_block* grow(std::size_t bytes);
  void split(pool_block* block, std::size_t bytes);
  pool_block* merge(pool_block* block);
  void merge_all();
  void insert(pool_block* block);
  void remove(pool_block* block);
  pool_block* new_block() noexcept;
  void reserve_blocks(std::size_t count);
  void release_idle();

  mutable std::mutex mutex_;
  memory_source source_;
  std::array<pool_block*, classes> bins_{};
  std::array<std::uint64_t, classes / 64> occupied_{};
  std::list<pool_segment> segments_, spare_segment_;
  std::deque<pool_block> blocks_;
  std::vector<pool_block*> spare_;
  std::size_t held_ = 0, used_ = 0, peak_ = 0;
};

}  // namespace dolmen::detail
