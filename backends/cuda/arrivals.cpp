#include "arrivals.hpp"

#include "runtime.hpp"

namespace dolmen::cuda::impl {

arrivals::arrivals(stream const& s, source_location where)
    : stream_(s), memory_(backend::allocate(s, sizeof(unsigned), memory::pooled, where)) {
  cudaError_t const status = cudaMemsetAsync(memory_.data, 0, sizeof(unsigned), s.native());
  if (status == cudaSuccess) return;
  backend::release(memory_, s);
  fail(status, "launch_cooperative", where);
}

arrivals::~arrivals() { backend::release(memory_, stream_); }

}  // namespace dolmen::cuda::impl
