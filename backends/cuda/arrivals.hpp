// The word in device memory in which the blocks of a cooperative launch are counted.
#pragma once

#include "memory.hpp"

namespace dolmen::cuda::impl {

/// From the pool, set to 0 and given back in the order of the stream: the kernel is launched while this lives. In a capture the
/// word belongs to the graph, which sets it to 0 each time that it runs.
class DOLMEN_API arrivals {
 public:
  arrivals(stream const& s, source_location where);
  arrivals(arrivals const&) = delete;
  ~arrivals();
  unsigned* word() const noexcept { return static_cast<unsigned*>(memory_.data); }

 private:
  stream const& stream_;
  dolmen::detail::allocation memory_;
};

}  // namespace dolmen::cuda::impl
