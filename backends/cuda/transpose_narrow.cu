#include "transpose_tiles.cuh"

namespace dolmen::cuda::impl {

void transpose_narrow(stream const& s, transpose_plan const& plan, source_location where) {
  if (plan.width == 1)
    transpose_width<1>(s, plan, where);
  else
    transpose_width<2>(s, plan, where);
}

}  // namespace dolmen::cuda::impl
