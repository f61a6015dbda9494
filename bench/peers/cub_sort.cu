// Radix sort by CUB, with temporary memory that is kept, as its users keep it.
#include <cub/device/device_radix_sort.cuh>

#include "cub.hpp"
#include "raw_launch.hpp"

namespace study::peers {

template <class T>
void cub_sort(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t n) {
  static dolmen::buffer<std::byte, dolmen::cuda::backend> temporary;
  std::size_t bytes = 0;
  auto const sort = [&](void* room) {
    forget_pending_error();
    check(cub::DeviceRadixSort::SortKeys(room, bytes, in, out, n, 0, int(8 * sizeof(T)), s.native()), "SortKeys");
  };
  sort(nullptr);
  if (temporary.size() < dolmen::index_t(bytes)) temporary = dolmen::buffer<std::byte, dolmen::cuda::backend>(s, dolmen::index_t(bytes));
  sort(temporary.data());
}
template void cub_sort(dolmen::cuda::stream const&, std::int32_t const*, std::int32_t*, dolmen::index_t);

}  // namespace study::peers
