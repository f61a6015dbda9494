// What the compiler made of the portable kernels, for comparison with their twins. Only in builds with the CUDA backend.
#include "../kernel_costs.hpp"

#include <dolmen/core/facts.hpp>
#include <dolmen/dolmen.hpp>

#include "../../examples/kernels/axpy.hpp"
#include "../../examples/kernels/block_scan.hpp"
#include "../../examples/kernels/block_sum.hpp"
#include "../../examples/kernels/histogram.hpp"
#include "../../examples/kernels/matmul.hpp"
#include "../../examples/kernels/relu.hpp"
#include "../../examples/kernels/spmv.hpp"
#include "../../examples/kernels/stencil.hpp"
#include "../../examples/kernels/transpose.hpp"
#include "../../examples/kernels/transpose_packs.hpp"
#include "../../examples/kernels/vector_add.hpp"
#include "../../examples/kernels/warp_sum.hpp"
#include "../../examples/kernels/wmma_matmul.hpp"

namespace study {
namespace {

template <class Kernel>
kernel_cost cost_of(char const* name, dolmen::cuda::stream const& s) {
  auto const facts = dolmen::kernel_facts<Kernel>(s);
  return {.kernel = name,
          .registers = facts.registers,
          .local_bytes = facts.local_bytes,
          .shared_bytes = facts.shared_bytes(),
          .threads = Kernel::shape::size,
          .resident_blocks = facts.resident_blocks};
}

}  // namespace

kernel_costs portable_costs() {
  dolmen::cuda::stream const s;
  return {cost_of<kernels::vector_add>("vector_add", s),
          cost_of<kernels::relu>("relu", s),
          cost_of<kernels::axpy<float>>("axpy<float>", s),
          cost_of<kernels::axpy<double>>("axpy<double>", s),
          cost_of<kernels::block_sum>("block_sum", s),
          cost_of<kernels::tiled_transpose>("transpose", s),
          cost_of<kernels::stencil5>("stencil5", s),
          cost_of<kernels::naive_matmul<float>>("matmul_naive", s),
          cost_of<kernels::tiled_matmul<float>>("matmul_tiled", s),
          cost_of<kernels::transpose_packs>("transpose_pack", s),
          cost_of<kernels::warp_sum>("warp_sum", s),
          cost_of<kernels::block_scan>("block_scan", s),
          cost_of<kernels::histogram>("histogram", s),
          cost_of<kernels::wmma_matmul<dolmen::half>>("wmma_matmul", s),
          cost_of<kernels::spmv>("spmv", s)};
}

}  // namespace study
