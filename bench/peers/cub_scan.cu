// Scans by CUB, with temporary memory that is kept, as its users keep it.
#include <cuda_fp16.h>

#include <cub/device/device_scan.cuh>

#include "cub.hpp"
#include "raw_launch.hpp"

namespace study::peers {

template <class T>
void cub_scan(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t n) {
  using element = std::conditional_t<std::is_same_v<T, dolmen::half>, __half, T>;
  static dolmen::buffer<std::byte, dolmen::cuda::backend> temporary;
  std::size_t bytes = 0;
  auto const scan = [&](void* room) {
    forget_pending_error();
    check(cub::DeviceScan::InclusiveSum(room, bytes, reinterpret_cast<element const*>(in), reinterpret_cast<element*>(out), n, s.native()),
          "InclusiveSum");
  };
  scan(nullptr);
  if (temporary.size() < dolmen::index_t(bytes)) temporary = dolmen::buffer<std::byte, dolmen::cuda::backend>(s, dolmen::index_t(bytes));
  scan(temporary.data());
}
template void cub_scan(dolmen::cuda::stream const&, float const*, float*, dolmen::index_t);
template void cub_scan(dolmen::cuda::stream const&, double const*, double*, dolmen::index_t);
template void cub_scan(dolmen::cuda::stream const&, dolmen::half const*, dolmen::half*, dolmen::index_t);
template void cub_scan(dolmen::cuda::stream const&, std::int32_t const*, std::int32_t*, dolmen::index_t);
template void cub_scan(dolmen::cuda::stream const&, std::uint8_t const*, std::uint8_t*, dolmen::index_t);

}  // namespace study::peers
