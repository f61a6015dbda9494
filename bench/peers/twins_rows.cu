// The library's algorithms on matrices as plain CUDA kernels.
#include <cuda_runtime.h>

#include "peers.hpp"
#include "raw_launch.hpp"

namespace study::peers {

using stream = dolmen::cuda::stream;

namespace {

/// The textbook's: a tile of 32 x 32, padded, one element per thread and step.
template <class T>
__global__ void __launch_bounds__(256) transpose_tile(T const* in, T* out, index_t n) {
  __shared__ T square[32][33];
  index_t const x0 = index_t(blockIdx.x) * 32, y0 = index_t(blockIdx.y) * 32;
  int const tx = int(threadIdx.x), ty = int(threadIdx.y);
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (y0 + ty + i < n && x0 + tx < n) square[ty + i][tx] = in[(y0 + ty + i) * n + x0 + tx];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (x0 + ty + i < n && y0 + tx < n) out[(x0 + ty + i) * n + y0 + tx] = square[tx][ty + i];
}

}  // namespace

template <class T>
void transpose_elements(stream const& s, T const* in, T* out, index_t side) {
  auto const tiles = unsigned(dolmen::ceil_div(side, index_t(32)));
  transpose_tile<<<dim3(tiles, tiles), dim3(32, 8), 0, s.native()>>>(in, out, side);
  check_launch("transpose");
}
template void transpose_elements(stream const&, float const*, float*, index_t);
template void transpose_elements(stream const&, double const*, double*, index_t);
template void transpose_elements(stream const&, dolmen::half const*, dolmen::half*, index_t);
template void transpose_elements(stream const&, std::uint8_t const*, std::uint8_t*, index_t);

}  // namespace study::peers
