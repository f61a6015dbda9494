// Records of eight floats to arrays and back, a thread for each record: its accesses to the record are 32 bytes apart.
#include <cuda_runtime.h>

#include "peers.hpp"
#include "raw_launch.hpp"

namespace study::peers {

namespace {

constexpr int threads = 256, width = 8;

__global__ void __launch_bounds__(threads) split_kernel(float const* records, float* arrays, index_t n) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < width; ++k) arrays[k * n + i] = records[width * i + k];
}

__global__ void __launch_bounds__(threads) join_kernel(float const* arrays, float* records, index_t n) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < width; ++k) records[width * i + k] = arrays[k * n + i];
}

}  // namespace

void split_records(dolmen::cuda::stream const& s, float const* records, float* arrays, index_t n) {
  split_kernel<<<unsigned(dolmen::ceil_div(n, index_t(threads))), threads, 0, s.native()>>>(records, arrays, n);
  check_launch("split_records");
}
void join_records(dolmen::cuda::stream const& s, float const* arrays, float* records, index_t n) {
  join_kernel<<<unsigned(dolmen::ceil_div(n, index_t(threads))), threads, 0, s.native()>>>(arrays, records, n);
  check_launch("join_records");
}

}  // namespace study::peers
