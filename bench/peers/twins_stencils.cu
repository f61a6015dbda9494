// Stencils and convolutions as plain CUDA kernels.
#include <cuda_runtime.h>

#include "peers.hpp"
#include "raw_launch.hpp"

namespace study::peers {

using stream = dolmen::cuda::stream;

namespace {

/// A thread for each element, which reads all its neighbours.
__global__ void __launch_bounds__(256)
    near_stencil_kernel(float const* in, float* out, index_t planes, index_t side, __grid_constant__ near_weights const weights) {
  index_t const x = index_t(blockIdx.x) * 32 + threadIdx.x, y = index_t(blockIdx.y) * 8 + threadIdx.y, z = blockIdx.z;
  if (x >= side || y >= side) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 27; ++k) {
    index_t const zk = z + k / 9 - 1, yk = y + k / 3 % 3 - 1, xk = x + k % 3 - 1;
    bool const inside = zk >= 0 && zk < planes && yk >= 0 && yk < side && xk >= 0 && xk < side;
    if (weights.box[k] != 0 && inside) sum += weights.box[k] * in[(zk * side + yk) * side + xk];
  }
  out[(z * side + y) * side + x] = sum;
}

/// The textbook's: a tile with its halo in shared memory, one element per thread.
__global__ void __launch_bounds__(512)
    convolution_kernel(float const* in, float* out, index_t side, __grid_constant__ filter_weights const filter) {
  constexpr int taps = filter_weights::side, radius = filter_weights::radius, width = 32, height = 16;
  __shared__ float tile[height + 2 * radius][width + 2 * radius];
  index_t const x0 = index_t(blockIdx.x) * width, y0 = index_t(blockIdx.y) * height;
  int const tx = int(threadIdx.x), ty = int(threadIdx.y);
  for (int j = ty; j < height + 2 * radius; j += height)
    for (int i = tx; i < width + 2 * radius; i += width) {
      index_t const y = y0 + j - radius, x = x0 + i - radius;
      tile[j][i] = y >= 0 && y < side && x >= 0 && x < side ? in[y * side + x] : 0.0f;
    }
  __syncthreads();
  if (y0 + ty >= side || x0 + tx >= side) return;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < taps; ++j)
#pragma unroll
    for (int i = 0; i < taps; ++i) sum += filter.weight[j * taps + i] * tile[ty + 2 * radius - j][tx + 2 * radius - i];
  out[(y0 + ty) * side + x0 + tx] = sum;
}

}  // namespace

void near_stencil(stream const& s, float const* in, float* out, index_t planes, index_t side, near_weights const& weights) {
  dim3 const grid(unsigned(dolmen::ceil_div(side, index_t(32))), unsigned(dolmen::ceil_div(side, index_t(8))), unsigned(planes));
  near_stencil_kernel<<<grid, dim3(32, 8), 0, s.native()>>>(in, out, planes, side, weights);
  check_launch("near_stencil");
}

void convolution(stream const& s, float const* in, float* out, index_t side, filter_weights const& filter) {
  dim3 const grid(unsigned(dolmen::ceil_div(side, index_t(32))), unsigned(dolmen::ceil_div(side, index_t(16))));
  convolution_kernel<<<grid, dim3(32, 16), 0, s.native()>>>(in, out, side, filter);
  check_launch("convolution");
}

}  // namespace study::peers
