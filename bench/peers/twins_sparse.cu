// The sparse product as a raw CUDA kernel: one warp for each row.
#include "peers.hpp"
#include "raw_costs.hpp"

namespace study::peers {

namespace {

constexpr int threads = 256, rows_per_block = threads / 32;

__global__ void __launch_bounds__(threads)
    spmv_kernel(std::int32_t const* row_offsets, std::int32_t const* columns, float const* values, float const* x, float* y, index_t rows) {
  index_t const row = index_t(blockIdx.x) * rows_per_block + threadIdx.x / 32;
  int const lane = int(threadIdx.x) % 32;
  if (row >= rows) return;
  std::int32_t const end = row_offsets[row + 1];
  float sum = 0;
  for (std::int32_t k = row_offsets[row] + lane; k < end; k += 32) sum += values[k] * x[columns[k]];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}

}  // namespace

void spmv(dolmen::cuda::stream const& s, std::int32_t const* row_offsets, std::int32_t const* columns, float const* values, float const* x,
          float* y, index_t rows) {
  spmv_kernel<<<unsigned(dolmen::ceil_div(rows, index_t(rows_per_block))), threads, 0, s.native()>>>(row_offsets, columns, values, x, y,
                                                                                                     rows);
  check_launch("spmv");
}

void add_sparse_costs(kernel_costs& all) { all.push_back(cost_of("spmv", spmv_kernel, threads)); }

}  // namespace study::peers
