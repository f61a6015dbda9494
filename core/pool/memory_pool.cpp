#include "memory_pool.hpp"

#include <algorithm>
#include <bit>

namespace dolmen::detail {

struct pool_segment {
  char* data;
  std::size_t bytes;
  pool_block* first;
};

namespace {

constexpr std::size_t mebi = 1024 * 1024;

std::size_t round_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

// Four classes per power of two; a class's number grows with the size.
int class_of(std::size_t bytes) {
  int const power = std::bit_width(bytes) - 1;
  return 4 * power + int(bytes >> (power - 2) & 3);
}

// Small requests share segments, so that a program with many small buffers asks the device rarely.
std::size_t segment_bytes(std::size_t bytes) {
  if (bytes <= 1 * mebi) return 2 * mebi;
  if (bytes <= 8 * mebi) return 32 * mebi;
  return round_up(bytes, 2 * mebi);
}

// Small, medium and large segments serve requests of their own size first, and a large one is not cut for a request that
// would leave more than a quarter of it: a small long-lived buffer must not spoil the room for the next large one.
bool may_cut(pool_block const& block, std::size_t segment, std::size_t bytes) {
  auto const group = [](std::size_t n) { return n <= 2 * mebi ? 0 : n <= 32 * mebi ? 1 : 2; };
  if (group(segment) > group(segment_bytes(bytes))) return false;
  return segment <= 32 * mebi || block.bytes - bytes <= block.bytes / 4;
}

bool idle(pool_block const& b) { return !b.freed_on || b.freed_on->completed(b.freed_at); }

}  // namespace

memory_pool::memory_pool(memory_source source) : source_(std::move(source)) {}

memory_pool::~memory_pool() {
  for (auto& segment : segments_) source_.release(segment.data, segment.bytes);
}

pool_block* memory_pool::allocate(std::size_t bytes, stream_order const& stream, source_location where) {
  std::lock_guard lock(mutex_);
  // A size so large that rounding would wrap is beyond any device.
  std::size_t const rounded = bytes > std::size_t(-1) / 2 ? 0 : round_up(bytes, granule);
  reserve_blocks(2);  // from here on only the source may throw
  pool_block* block = rounded ? find(rounded, stream, false) : nullptr;
  if (!block && rounded) {
    merge_all();
    block = find(rounded, stream, false);
    if (!block) block = grow(rounded);
    if (!block) {
      release_idle();
      block = grow(rounded);
    }
    if (!block) block = find(rounded, stream, true);
  }
  if (!block) {
    throw out_of_memory(text("out of memory on ", source_.name, ": asked for ", bytes_text(double(bytes)), ", the device has ",
                             bytes_text(double(source_.available())), " free, the pool hands out ", bytes_text(double(used_)),
                             " and caches ", bytes_text(double(held_ - used_))),
                        where);
  }
  split(block, rounded);
  block->free = false;
  block->freed_on.reset();
  used_ += block->bytes;
  peak_ = std::max(peak_, used_);
  return block;
}

void memory_pool::free(pool_block* block, std::shared_ptr<stream_order> const& stream) noexcept {
  std::lock_guard lock(mutex_);
  used_ -= block->bytes;
  block->free = true;
  block->freed_on = stream;
  block->freed_at = stream->advance();
  insert(merge(block));
}

void memory_pool::free_idle(pool_block* block) noexcept {
  std::lock_guard lock(mutex_);
  used_ -= block->bytes;
  block->free = true;
  block->freed_on.reset();
  insert(merge(block));
}

void memory_pool::trim() {
  std::lock_guard lock(mutex_);
  release_idle();
}

pool_statistics memory_pool::statistics() const {
  std::lock_guard lock(mutex_);
  return {index_t(held_), index_t(used_), index_t(peak_)};
}

void memory_pool::reset_peak() {
  std::lock_guard lock(mutex_);
  peak_ = used_;
}

// The first fitting block of the smallest class that has one which this stream runs after. Returns it out of its bin.
pool_block* memory_pool::find(std::size_t bytes, stream_order const& stream, bool cut_anything) {
  for (int word = class_of(bytes) / 64, first = class_of(bytes); word < int(occupied_.size()); ++word) {
    std::uint64_t bits = occupied_[std::size_t(word)];
    if (word == first / 64) bits &= ~std::uint64_t(0) << (first % 64);
    for (; bits; bits &= bits - 1) {
      int const number = 64 * word + std::countr_zero(bits);
      for (pool_block* b = bins_[std::size_t(number)]; b; b = b->free_after) {
        if (b->bytes < bytes || (!cut_anything && !may_cut(*b, b->segment->bytes, bytes))) continue;
        if (b->freed_on && !stream.runs_after(*b->freed_on, b->freed_at)) continue;
        remove(b);
        return b;
      }
    }
  }
  return nullptr;
}

pool_block* memory_pool::grow(std::size_t bytes) {
  if (spare_segment_.empty()) spare_segment_.emplace_back();
  std::size_t size = segment_bytes(bytes);
  auto* data = static_cast<char*>(source_.allocate(size));
  if (!data && size > bytes) {
    size = bytes;
    data = static_cast<char*>(source_.allocate(size));
  }
  if (!data) return nullptr;
  held_ += size;
  pool_block* block = new_block();
  spare_segment_.back() = {data, size, block};
  segments_.splice(segments_.end(), spare_segment_);
  *block = {data, size, &segments_.back(), nullptr, nullptr, nullptr, nullptr, nullptr, 0, true};
  return block;
}

// Cuts what is not needed off the end of a block that is in no bin.
void memory_pool::split(pool_block* block, std::size_t bytes) {
  std::size_t const rest = block->bytes - bytes;
  if (rest < granule) return;
  pool_block* tail = new_block();
  *tail = {block->data + bytes, rest, block->segment, block, block->after, nullptr, nullptr, block->freed_on, block->freed_at, true};
  if (tail->after) tail->after->before = tail;
  block->after = tail;
  block->bytes = bytes;
  insert(tail);
}

// Joins a free block that is in no bin with its free neighbours, where one position still says when all of it is idle.
pool_block* memory_pool::merge(pool_block* block) {
  auto const join = [&](pool_block* left, pool_block* right) {
    if (!left || !right || !left->free || !right->free) return false;
    bool const left_idle = idle(*left), right_idle = idle(*right);
    if (!left_idle && !right_idle && left->freed_on != right->freed_on) return false;
    remove(left == block ? right : left);  // the block itself is in no bin
    if (left_idle) {
      left->freed_on = right_idle ? nullptr : right->freed_on;
      left->freed_at = right->freed_at;
    } else if (!right_idle) {
      left->freed_at = std::max(left->freed_at, right->freed_at);
    }
    left->bytes += right->bytes;
    left->after = right->after;
    if (left->after) left->after->before = left;
    right->freed_on.reset();
    spare_.push_back(right);
    return true;
  };
  while (join(block, block->after)) {
  }
  while (join(block->before, block)) block = block->before;
  return block;
}

// Neighbours that waited for different streams when they were freed may have become idle since.
void memory_pool::merge_all() {
  for (auto& segment : segments_)
    for (pool_block* b = segment.first; b; b = b->after)
      if (b->free) {
        remove(b);
        b = merge(b);
        insert(b);
      }
}

void memory_pool::insert(pool_block* block) {
  int const number = class_of(block->bytes);
  auto& head = bins_[std::size_t(number)];
  block->free_before = nullptr;
  block->free_after = head;
  if (head) head->free_before = block;
  head = block;
  occupied_[std::size_t(number / 64)] |= std::uint64_t(1) << (number % 64);
}

void memory_pool::remove(pool_block* block) {
  int const number = class_of(block->bytes);
  if (block->free_before)
    block->free_before->free_after = block->free_after;
  else
    bins_[std::size_t(number)] = block->free_after;
  if (block->free_after) block->free_after->free_before = block->free_before;
  if (!bins_[std::size_t(number)]) occupied_[std::size_t(number / 64)] &= ~(std::uint64_t(1) << (number % 64));
}

// Room for every block that can become spare is taken with the block, so that freeing never allocates.
void memory_pool::reserve_blocks(std::size_t count) {
  while (spare_.size() < count) {
    if (spare_.capacity() <= blocks_.size()) spare_.reserve(2 * (blocks_.size() + 1));  // first: it may throw
    blocks_.emplace_back();
    spare_.push_back(&blocks_.back());
  }
}

pool_block* memory_pool::new_block() noexcept {
  pool_block* block = spare_.back();
  spare_.pop_back();
  return block;
}

void memory_pool::release_idle() {
  if (source_.drain())
    for (auto& segment : segments_)
      for (pool_block* b = segment.first; b; b = b->after)
        if (b->free) b->freed_on.reset();
  merge_all();
  for (auto s = segments_.begin(); s != segments_.end();) {
    if (s->first->free && s->first->bytes == s->bytes && idle(*s->first)) {
      remove(s->first);
      spare_.push_back(s->first);
      source_.release(s->data, s->bytes);
      held_ -= s->bytes;
      s = segments_.erase(s);
    } else {
      ++s;
    }
  }
}

}  // namespace dolmen::detail
