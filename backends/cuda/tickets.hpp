// Words of device memory in which the blocks of a launch are counted, so that the last one can finish the work.
#pragma once

#include "memory.hpp"

namespace dolmen::cuda::impl {

/// Words that are 0 when the kernel begins that is launched while this lives, and that the kernel leaves 0. A stream keeps
/// its own, so that this costs nothing on the device: kernels of one stream do not overlap. In a capture the words belong to the
/// graph, which sets them to 0 each time that it runs.
class DOLMEN_API tickets {
 public:
  static constexpr int most = 1024;

  /// At most `most` words.
  tickets(stream const& s, int count, source_location where);
  tickets(tickets const&) = delete;
  ~tickets();
  unsigned* words() const noexcept { return words_; }

 private:
  stream const& stream_;
  unsigned* words_ = nullptr;
  dolmen::detail::allocation memory_;  // in a capture
};

}  // namespace dolmen::cuda::impl
