#include "scratch.hpp"

#include "../error.hpp"
#include "../host_memory.hpp"

namespace dolmen::emulation {
namespace {

constexpr std::size_t smallest_chunk = 256 * 1024;

}  // namespace

scratch_exhausted::~scratch_exhausted() = default;

void scratch_exhausted::raise(char const* call, source_location where) const {
  using namespace dolmen::detail;
  with_host_memory(call, where, [&] {
    throw out_of_memory(text(call, ": out of memory on the host: a worker asked for ", bytes_text(double(bytes)),
                             " for shared memory and the values of threads"),
                        where);
  });
  __builtin_unreachable();
}

/// Stands before its bytes.
struct scratch::chunk {
  std::size_t bytes;
  chunk* next;
  char* data() { return reinterpret_cast<char*>(this) + alignment; }
};

scratch::~scratch() {
  while (first_) {
    chunk* const dead = first_;
    first_ = dead->next;
    ::operator delete(dead, std::align_val_t(alignment));
  }
}

void* scratch::take_from_new_chunk(std::size_t bytes) {
  // The chunks behind the current one hold nothing. Those that are too small are passed over until the next reset.
  chunk** link = current_ ? &current_->next : &first_;
  std::size_t last = current_ ? current_->bytes : 0;
  while (*link && (*link)->bytes < bytes) {
    last = (*link)->bytes;
    link = &(*link)->next;
  }
  if (!*link) {
    std::size_t const grown = last ? 2 * last : smallest_chunk, size = bytes > grown ? bytes : grown;
    try {
      *link = new (::operator new(alignment + size, std::align_val_t(alignment))) chunk{size, nullptr};
    } catch (std::bad_alloc const&) {
      throw scratch_exhausted(size);
    }
  }
  current_ = *link;
  next_ = current_->data() + bytes;
  end_ = current_->data() + current_->bytes;
  return current_->data();
}

void scratch::reset() noexcept {
  current_ = first_;
  next_ = end_ = nullptr;
  if (!first_) return;
  next_ = first_->data();
  end_ = next_ + first_->bytes;
}

}  // namespace dolmen::emulation
