// The cases as raw CUDA kernels: the same algorithm, block shape, work per thread and fast paths as the portable ones in
// examples/kernels, written and launched by hand.
#include <cuda_runtime.h>

#include "peers.hpp"
#include "raw_costs.hpp"

namespace study::peers {

using stream = dolmen::cuda::stream;

namespace {

constexpr int threads = 256, side_of_tile = 32, rows_of_block = 8, rows_per_thread = side_of_tile / rows_of_block;

__global__ void __launch_bounds__(threads) add_kernel(float const* a, float const* b, float* c, index_t n) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void __launch_bounds__(threads) relu_kernel(float const* in, float* out, index_t n) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i < n) out[i] = in[i] < 0.0f ? 0.0f : in[i];
}

template <class T>
__global__ void __launch_bounds__(threads) axpy_kernel(T alpha, T const* x, T* y, index_t n) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

template <class T>
__global__ void __launch_bounds__(threads) triad_kernel(T scalar, T const* a, T const* b, T* c, index_t n) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i < n) c[i] = a[i] + scalar * b[i];
}

__global__ void __launch_bounds__(threads) multiply_add_kernel(float const* a, float const* b, float const* c, float* out, index_t n) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i < n) out[i] = a[i] * b[i] + c[i];
}

__global__ void __launch_bounds__(threads) block_sum_kernel(float const* in, float* out, index_t n) {
  __shared__ float partial[threads];
  int const t = int(threadIdx.x);
  index_t const i = index_t(blockIdx.x) * threads + t;
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void __launch_bounds__(threads) transpose_kernel(float const* in, float* out, index_t rows, index_t columns) {
  __shared__ float square[side_of_tile][side_of_tile + 1];
  index_t const x0 = index_t(blockIdx.x) * side_of_tile, y0 = index_t(blockIdx.y) * side_of_tile;
  int const tx = int(threadIdx.x), ty = int(threadIdx.y);
  if (y0 + side_of_tile <= rows && x0 + side_of_tile <= columns) {
    // The count of steps is a constant, so that the four loads are issued together.
#pragma unroll
    for (int i = 0; i < rows_per_thread; ++i) square[ty + i * rows_of_block][tx] = in[(y0 + ty + i * rows_of_block) * columns + x0 + tx];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < rows_per_thread; ++i) out[(x0 + ty + i * rows_of_block) * rows + y0 + tx] = square[tx][ty + i * rows_of_block];
  } else {
    for (int y = ty; y < side_of_tile; y += rows_of_block)
      if (y0 + y < rows && x0 + tx < columns) square[y][tx] = in[(y0 + y) * columns + x0 + tx];
    __syncthreads();
    for (int y = ty; y < side_of_tile; y += rows_of_block)
      if (x0 + y < columns && y0 + tx < rows) out[(x0 + y) * rows + y0 + tx] = square[tx][y];
  }
}

__global__ void __launch_bounds__(threads) stencil_kernel(float const* in, float* out, index_t rows, index_t columns) {
  constexpr int width = side_of_tile, height = rows_of_block;
  __shared__ float halo[height + 2][width + 2];
  index_t const x0 = index_t(blockIdx.x) * width, y0 = index_t(blockIdx.y) * height;
  int const tx = int(threadIdx.x), ty = int(threadIdx.y);
  bool const inside = x0 > 0 && y0 > 0 && x0 + width < columns && y0 + height < rows;
  if (inside) {
    float const* const corner = in + (y0 - 1) * columns + x0 - 1;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        int const y = ty + i * height, x = tx + j * width;
        if (y < height + 2 && x < width + 2) halo[y][x] = corner[y * columns + x];
      }
  } else {
    for (int y = ty; y < height + 2; y += height)
      for (int x = tx; x < width + 2; x += width) {
        index_t const gy = y0 + y - 1, gx = x0 + x - 1;
        halo[y][x] = gy >= 0 && gy < rows && gx >= 0 && gx < columns ? in[gy * columns + gx] : 0.0f;
      }
  }
  __syncthreads();
  if (inside || (y0 + ty < rows && x0 + tx < columns))
    out[(y0 + ty) * columns + x0 + tx] = 0.25f * (halo[ty + 1][tx] + halo[ty + 1][tx + 2] + halo[ty][tx + 1] + halo[ty + 2][tx + 1]);
}

__global__ void __launch_bounds__(threads) naive_kernel(float const* a, float const* b, float* c, index_t n) {
  index_t const y = index_t(blockIdx.y) * rows_of_block + threadIdx.y, x = index_t(blockIdx.x) * side_of_tile + threadIdx.x;
  if (y >= n || x >= n) return;
  float sum = 0;
  for (index_t k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

using tile_square = float[side_of_tile][side_of_tile];

__device__ __forceinline__ void multiply_tiles(tile_square const& left, tile_square const& right, float (&sum)[rows_per_thread], int tx,
                                               int ty) {
  __syncthreads();
#pragma unroll
  for (int k = 0; k < side_of_tile; ++k) {
    float const value = right[k][tx];
#pragma unroll
    for (int r = 0; r < rows_per_thread; ++r) sum[r] += left[ty + r * rows_of_block][k] * value;
  }
  __syncthreads();
}

// Each thread computes four rows of a 32 x 32 tile, as kernels::tiled_matmul does.
__global__ void __launch_bounds__(threads) tiled_kernel(float const* a, float const* b, float* c, index_t n) {
  constexpr int side = side_of_tile, height = rows_of_block;
  __shared__ tile_square left, right;
  index_t const x0 = index_t(blockIdx.x) * side, y0 = index_t(blockIdx.y) * side;
  int const tx = int(threadIdx.x), ty = int(threadIdx.y);
  bool const full = y0 + side <= n && x0 + side <= n;
  float sum[rows_per_thread] = {};
  index_t k0 = 0;
  if (full)
    for (; k0 + side <= n; k0 += side) {
#pragma unroll
      for (int i = 0; i < rows_per_thread; ++i) left[ty + i * height][tx] = a[(y0 + ty + i * height) * n + k0 + tx];
#pragma unroll
      for (int i = 0; i < rows_per_thread; ++i) right[ty + i * height][tx] = b[(k0 + ty + i * height) * n + x0 + tx];
      multiply_tiles(left, right, sum, tx, ty);
    }
  for (; k0 < n; k0 += side) {
    for (int y = ty; y < side; y += height) {
      left[y][tx] = y0 + y < n && k0 + tx < n ? a[(y0 + y) * n + k0 + tx] : 0.0f;
      right[y][tx] = k0 + y < n && x0 + tx < n ? b[(k0 + y) * n + x0 + tx] : 0.0f;
    }
    multiply_tiles(left, right, sum, tx, ty);
  }
#pragma unroll
  for (int r = 0; r < rows_per_thread; ++r)
    if (full || (y0 + ty + r * height < n && x0 + tx < n)) c[(y0 + ty + r * height) * n + x0 + tx] = sum[r];
}

__global__ void __launch_bounds__(threads) empty_kernel() {}

unsigned blocks_for(index_t n, index_t per_block) { return unsigned(dolmen::ceil_div(n, per_block)); }
dim3 tiles_of(index_t rows, index_t columns, index_t height) { return {blocks_for(columns, side_of_tile), blocks_for(rows, height)}; }
dim3 const tile_block{side_of_tile, rows_of_block};

}  // namespace

void vector_add(stream const& s, float const* a, float const* b, float* c, index_t n) {
  add_kernel<<<blocks_for(n, threads), threads, 0, s.native()>>>(a, b, c, n);
  check_launch("vector_add");
}

void relu(stream const& s, float const* in, float* out, index_t n) {
  relu_kernel<<<blocks_for(n, threads), threads, 0, s.native()>>>(in, out, n);
  check_launch("relu");
}

template <class T>
void axpy(stream const& s, T alpha, T const* x, T* y, index_t n) {
  axpy_kernel<<<blocks_for(n, threads), threads, 0, s.native()>>>(alpha, x, y, n);
  check_launch("axpy");
}
template void axpy(stream const&, float, float const*, float*, index_t);
template void axpy(stream const&, double, double const*, double*, index_t);

template <class T>
void triad(stream const& s, T scalar, T const* a, T const* b, T* c, index_t n) {
  triad_kernel<<<blocks_for(n, threads), threads, 0, s.native()>>>(scalar, a, b, c, n);
  check_launch("triad");
}
template void triad(stream const&, float, float const*, float const*, float*, index_t);
template void triad(stream const&, double, double const*, double const*, double*, index_t);

void multiply_add(stream const& s, float const* a, float const* b, float const* c, float* out, index_t n) {
  multiply_add_kernel<<<blocks_for(n, threads), threads, 0, s.native()>>>(a, b, c, out, n);
  check_launch("multiply_add");
}

void block_sum(stream const& s, float const* in, float* out, index_t n) {
  block_sum_kernel<<<blocks_for(n, threads), threads, 0, s.native()>>>(in, out, n);
  check_launch("block_sum");
}

void transpose(stream const& s, float const* in, float* out, index_t side) {
  transpose_kernel<<<tiles_of(side, side, side_of_tile), tile_block, 0, s.native()>>>(in, out, side, side);
  check_launch("transpose");
}

void stencil(stream const& s, float const* in, float* out, index_t side) {
  stencil_kernel<<<tiles_of(side, side, rows_of_block), tile_block, 0, s.native()>>>(in, out, side, side);
  check_launch("stencil");
}

void matmul_naive(stream const& s, float const* a, float const* b, float* c, index_t side) {
  naive_kernel<<<tiles_of(side, side, rows_of_block), tile_block, 0, s.native()>>>(a, b, c, side);
  check_launch("matmul_naive");
}

void matmul_tiled(stream const& s, float const* a, float const* b, float* c, index_t side) {
  tiled_kernel<<<tiles_of(side, side, side_of_tile), tile_block, 0, s.native()>>>(a, b, c, side);
  check_launch("matmul_tiled");
}

void empty_launch(stream const& s, index_t n) {
  empty_kernel<<<unsigned(n), threads, 0, s.native()>>>();
  check_launch("empty");
}

void add_twin_costs(kernel_costs& all) {
  all.push_back(cost_of("vector_add", add_kernel, threads));
  all.push_back(cost_of("relu", relu_kernel, threads));
  all.push_back(cost_of("axpy<float>", axpy_kernel<float>, threads));
  all.push_back(cost_of("axpy<double>", axpy_kernel<double>, threads));
  all.push_back(cost_of("block_sum", block_sum_kernel, threads));
  all.push_back(cost_of("transpose", transpose_kernel, threads));
  all.push_back(cost_of("stencil5", stencil_kernel, threads));
  all.push_back(cost_of("matmul_naive", naive_kernel, threads));
  all.push_back(cost_of("matmul_tiled", tiled_kernel, threads));
}

}  // namespace study::peers
