// Memory of one worker thread for the blocks that it runs: shared memory and per-thread values.
#pragma once

#include <cstddef>
#include <new>

#include "../require.hpp"
#include "../shape.hpp"

namespace dolmen::emulation {

/// The host has no memory for a block. Of its own type, since kernels may throw std::bad_alloc themselves.
struct DOLMEN_API scratch_exhausted : std::bad_alloc {
  explicit scratch_exhausted(std::size_t bytes) noexcept : bytes(bytes) {}
  ~scratch_exhausted() override;
  /// As out_of_memory.
  [[noreturn]] void raise(char const* call, source_location where) const;
  std::size_t bytes;
};

/// What f, which runs blocks, gives; out_of_memory with the call's name where their scratch memory runs out.
template <class F>
decltype(auto) with_scratch(char const* call, source_location where, F&& f) {
  try {
    return f();
  } catch (scratch_exhausted const& e) {
    e.raise(call, where);
  }
}

/// A stack of chunks that grows and is kept, so that blocks allocate nothing after the first ones. Everything is aligned
/// as shared memory is.
class DOLMEN_API scratch {
 public:
  static constexpr std::size_t alignment = dolmen::detail::shared_alignment;

  scratch() = default;
  scratch(scratch const&) = delete;
  ~scratch();

  [[gnu::always_inline]] void* take(std::size_t bytes) {
    std::size_t const rounded = (bytes + alignment - 1) / alignment * alignment;
    if (std::size_t(end_ - next_) < rounded) [[unlikely]]
      return take_from_new_chunk(rounded);
    char* start = next_;
    next_ += rounded;
    return start;
  }

  /// Gives back what was taken last; anything else stays until the block ends.
  [[gnu::always_inline]] void give_back(void* start, std::size_t bytes) {
    auto* s = static_cast<char*>(start);
    if (s + (bytes + alignment - 1) / alignment * alignment == next_) next_ = s;
  }

  /// Forgets all; keeps the memory.
  void reset() noexcept;

 private:
  struct chunk;
  void* take_from_new_chunk(std::size_t bytes);

  char *next_ = nullptr, *end_ = nullptr;
  chunk *first_ = nullptr, *current_ = nullptr;
};

}  // namespace dolmen::emulation
