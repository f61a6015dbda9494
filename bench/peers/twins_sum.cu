// The sum by CUB, with temporary memory that is kept, as its users keep it.
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include "peers.hpp"
#include "raw_launch.hpp"

namespace study::peers {

template <class T, class Sum>
void sum(dolmen::cuda::stream const& s, T const* in, Sum* out, index_t n) {
  static dolmen::buffer<std::byte, dolmen::cuda::backend> temporary;
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Reduce(nullptr, bytes, in, out, n, ::cuda::std::plus<Sum>{}, Sum(0), s.native()), "DeviceReduce");
  if (temporary.size() < index_t(bytes)) temporary = dolmen::buffer<std::byte, dolmen::cuda::backend>(s, index_t(bytes));
  check(cub::DeviceReduce::Reduce(temporary.data(), bytes, in, out, n, ::cuda::std::plus<Sum>{}, Sum(0), s.native()), "DeviceReduce");
}
template void sum(dolmen::cuda::stream const&, float const*, float*, index_t);
template void sum(dolmen::cuda::stream const&, double const*, double*, index_t);
template void sum(dolmen::cuda::stream const&, std::int32_t const*, std::int64_t*, index_t);

}  // namespace study::peers
