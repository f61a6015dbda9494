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

/// The sum, or the largest, of a block's values, for all its threads.
template <class Op>
__device__ float of_block(float x, Op op) {
  __shared__ float values[256];
  values[threadIdx.x] = x;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] = op(values[threadIdx.x], values[threadIdx.x + half]);
    __syncthreads();
  }
  float const result = values[0];
  __syncthreads();
  return result;
}

/// A block per row, which reads it three times, an element per thread and step.
template <class T>
__global__ void __launch_bounds__(256) softmax_row(T const* in, T* out, index_t width) {
  T const* const x = in + index_t(blockIdx.x) * width;
  T* const y = out + index_t(blockIdx.x) * width;
  float most = float(x[0]), sum = 0;
  for (index_t i = threadIdx.x; i < width; i += 256) most = fmaxf(most, float(x[i]));
  most = of_block(most, [](float a, float b) { return fmaxf(a, b); });
  for (index_t i = threadIdx.x; i < width; i += 256) sum += expf(float(x[i]) - most);
  sum = of_block(sum, [](float a, float b) { return a + b; });
  for (index_t i = threadIdx.x; i < width; i += 256) y[i] = T(expf(float(x[i]) - most) / sum);
}

template <class T>
__global__ void __launch_bounds__(256) layer_norm_row(T const* in, T const* gamma, T const* beta, T* out, index_t width, float eps) {
  T const* const x = in + index_t(blockIdx.x) * width;
  T* const y = out + index_t(blockIdx.x) * width;
  auto const add = [](float a, float b) { return a + b; };
  float sum = 0, squares = 0;
  if (beta) {
    for (index_t i = threadIdx.x; i < width; i += 256) sum += float(x[i]);
    sum = of_block(sum, add);
  }
  float const mean = sum / float(width);
  for (index_t i = threadIdx.x; i < width; i += 256) squares += (float(x[i]) - mean) * (float(x[i]) - mean);
  float const scale = rsqrtf(of_block(squares, add) / float(width) + eps);
  for (index_t i = threadIdx.x; i < width; i += 256)
    y[i] = T((float(x[i]) - mean) * scale * float(gamma[i]) + (beta ? float(beta[i]) : 0.0f));
}

}  // namespace

template <class T>
void softmax(stream const& s, T const* in, T* out, index_t rows, index_t width) {
  softmax_row<<<unsigned(rows), 256, 0, s.native()>>>(in, out, width);
  check_launch("softmax");
}
template void softmax(stream const&, float const*, float*, index_t, index_t);
template void softmax(stream const&, dolmen::half const*, dolmen::half*, index_t, index_t);

template <class T>
void layer_norm(stream const& s, T const* in, T const* gamma, T const* beta, T* out, index_t rows, index_t width, float eps) {
  layer_norm_row<<<unsigned(rows), 256, 0, s.native()>>>(in, gamma, beta, out, width, eps);
  check_launch("layer_norm");
}
template void layer_norm(stream const&, float const*, float const*, float const*, float*, index_t, index_t, float);
template void layer_norm(stream const&, dolmen::half const*, dolmen::half const*, dolmen::half const*, dolmen::half*, index_t, index_t,
                         float);

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
