#include "scratch.hpp"

#include <algorithm>
#include <new>

namespace dolmen::emulation {
namespace {

constexpr std::size_t smallest_chunk = 256 * 1024;

}  // namespace

scratch::~scratch() {
  for (auto& c : chunks_) ::operator delete(c.data, std::align_val_t(alignment));
}

void* scratch::take_from_new_chunk(std::size_t bytes) {
  while (current_ < chunks_.size() && (chunks_[current_].data + chunks_[current_].bytes == end_ || chunks_[current_].bytes < bytes))
    ++current_;
  if (current_ == chunks_.size()) {
    std::size_t const size = std::max(bytes, chunks_.empty() ? smallest_chunk : 2 * chunks_.back().bytes);
    chunks_.reserve(chunks_.size() + 1);
    chunks_.push_back({static_cast<char*>(::operator new(size, std::align_val_t(alignment))), size});
  }
  next_ = chunks_[current_].data + bytes;
  end_ = chunks_[current_].data + chunks_[current_].bytes;
  return chunks_[current_].data;
}

void scratch::reset() noexcept {
  current_ = 0;
  next_ = end_ = nullptr;
  if (chunks_.empty()) return;
  next_ = chunks_[0].data;
  end_ = next_ + chunks_[0].bytes;
}

}  // namespace dolmen::emulation
