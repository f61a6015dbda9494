// Selection by CUB, with temporary memory that is kept, as its users keep it.
#include <cub/device/device_select.cuh>

#include "cub.hpp"
#include "raw_launch.hpp"

namespace study::peers {
namespace {

struct is_negative {
  template <class T>
  __device__ bool operator()(T value) const {
    return value < 0;
  }
};

}  // namespace

template <class T>
void cub_select(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t* count, dolmen::index_t n) {
  static dolmen::buffer<std::byte, dolmen::cuda::backend> temporary;
  std::size_t bytes = 0;
  auto const select = [&](void* room) {
    forget_pending_error();
    check(cub::DeviceSelect::If(room, bytes, in, out, count, n, is_negative{}, s.native()), "DeviceSelect::If");
  };
  select(nullptr);
  if (temporary.size() < dolmen::index_t(bytes)) temporary = dolmen::buffer<std::byte, dolmen::cuda::backend>(s, dolmen::index_t(bytes));
  select(temporary.data());
}
template void cub_select(dolmen::cuda::stream const&, float const*, float*, dolmen::index_t*, dolmen::index_t);
template void cub_select(dolmen::cuda::stream const&, std::int32_t const*, std::int32_t*, dolmen::index_t*, dolmen::index_t);

}  // namespace study::peers
