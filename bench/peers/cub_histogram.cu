// The histogram by CUB, with temporary memory that is kept, as its users keep it.
#include <cub/device/device_histogram.cuh>

#include "cub.hpp"
#include "raw_launch.hpp"

namespace study::peers {

void cub_histogram(dolmen::cuda::stream const& s, std::uint8_t const* keys, std::uint32_t* counts, dolmen::index_t n) {
  static dolmen::buffer<std::byte, dolmen::cuda::backend> temporary;
  constexpr int levels = 257, lowest = 0, highest = 256;
  std::size_t bytes = 0;
  auto const count = [&](void* room) {
    forget_pending_error();
    check(cub::DeviceHistogram::HistogramEven(room, bytes, keys, counts, levels, lowest, highest, n, s.native()), "HistogramEven");
  };
  count(nullptr);
  if (temporary.size() < dolmen::index_t(bytes)) temporary = dolmen::buffer<std::byte, dolmen::cuda::backend>(s, dolmen::index_t(bytes));
  count(temporary.data());
}

}  // namespace study::peers
