#include "transpose_tiles.cuh"

namespace dolmen::cuda {

void launch_transpose(stream const& s, transpose_plan const& plan, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  switch (plan.width) {
    case 4:
      return transpose_width<4>(s, plan, where);
    case 8:
      return transpose_width<8>(s, plan, where);
    case 16:
      return transpose_width<16>(s, plan, where);
    default:
      return impl::transpose_narrow(s, plan, where);
  }
}

}  // namespace dolmen::cuda
