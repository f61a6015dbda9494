// The product of halves on tensor cores as a raw CUDA kernel, by nvcuda::wmma: tiles come by cp.async, several steps ahead.
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <mma.h>

#include "peers.hpp"
#include "raw_costs.hpp"

namespace study::peers {

namespace {

namespace wmma = nvcuda::wmma;

constexpr int fragment = 16, halves_per_pack = 8;

/// A block computes Rows x Columns of C in steps of Depth, by WarpsDown x WarpsAcross warps.
template <int Rows, int Columns, int Depth, int WarpsDown, int WarpsAcross, int Stages>
struct shape_of_product {
  static constexpr int rows = Rows, columns = Columns, depth = Depth, stages = Stages;
  static constexpr int warps_across = WarpsAcross, warps = WarpsDown * WarpsAcross, threads = 32 * warps;
  static constexpr int warp_rows = Rows / WarpsDown, warp_columns = Columns / WarpsAcross;
  static constexpr int down = warp_rows / fragment, across = warp_columns / fragment;  // fragments of a warp
  static constexpr int padding = 8;  // so that the rows of a fragment lie in different banks
  static constexpr int a_pitch = Depth + padding, b_pitch = Columns + padding;
  static constexpr int a_size = Rows * a_pitch, b_size = Depth * b_pitch;  // halves of one stage
  static constexpr std::size_t shared_bytes = sizeof(half) * Stages * (a_size + b_size);
  static_assert(shared_bytes >= warps * fragment * fragment * sizeof(float), "the edges' patches take the place of the stages");
};

using tuned = shape_of_product<128, 128, 32, 2, 2, 4>;

/// Starts the copy of a box of Height x Width halves. Packs outside of the n x n matrix become zeros.
template <int Threads, int Height, int Width, int Pitch>
__device__ __forceinline__ void copy_box(half* to, half const* from, index_t row0, index_t column0, index_t n) {
  constexpr int packs = Width / halves_per_pack;
  static_assert(Height * packs % Threads == 0);
  int const height = int(min(n - row0, index_t(Height))), width = int(min(n - column0, index_t(Width)));  // what is inside
  half const* const corner = from + row0 * n + column0;
#pragma unroll
  for (int i = 0; i < Height * packs / Threads; ++i) {
    int const pack = i * Threads + int(threadIdx.x), y = pack / packs, x = pack % packs * halves_per_pack;
    bool const inside = y < height && x < width;
    __pipeline_memcpy_async(to + y * Pitch + x, inside ? corner + y * n + x : from, 16, inside ? 0 : 16);
  }
}

template <class Shape>
__global__ void __launch_bounds__(Shape::threads) wmma_kernel(half const* a, half const* b, float* c, index_t n) {
  extern __shared__ __align__(128) unsigned char memory[];
  half* const a_stages = reinterpret_cast<half*>(memory);
  half* const b_stages = a_stages + Shape::stages * Shape::a_size;
  index_t const y0 = index_t(blockIdx.y) * Shape::rows, x0 = index_t(blockIdx.x) * Shape::columns;
  int const warp = int(threadIdx.x) / 32;
  int const warp_y = warp / Shape::warps_across * Shape::warp_rows, warp_x = warp % Shape::warps_across * Shape::warp_columns;
  int const steps = int((n + Shape::depth - 1) / Shape::depth);

  auto const fetch = [&](int step) {
    if (step < steps) {
      int const stage = step % Shape::stages;
      index_t const k0 = index_t(step) * Shape::depth;
      copy_box<Shape::threads, Shape::rows, Shape::depth, Shape::a_pitch>(a_stages + stage * Shape::a_size, a, y0, k0, n);
      copy_box<Shape::threads, Shape::depth, Shape::columns, Shape::b_pitch>(b_stages + stage * Shape::b_size, b, k0, x0, n);
    }
    __pipeline_commit();  // also of nothing, so that groups count steps
  };

  wmma::fragment<wmma::accumulator, fragment, fragment, fragment, float> sum[Shape::down][Shape::across];
#pragma unroll
  for (int i = 0; i < Shape::down; ++i)
#pragma unroll
    for (int j = 0; j < Shape::across; ++j) wmma::fill_fragment(sum[i][j], 0.0f);

#pragma unroll
  for (int step = 0; step < Shape::stages - 1; ++step) fetch(step);
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(Shape::stages - 2);
    __syncthreads();  // all have this step, and are done with the one before, whose place the next copy takes
    fetch(step + Shape::stages - 1);
    half const* const left = a_stages + step % Shape::stages * Shape::a_size + warp_y * Shape::a_pitch;
    half const* const right = b_stages + step % Shape::stages * Shape::b_size + warp_x;
#pragma unroll
    for (int k = 0; k < Shape::depth; k += fragment) {
      wmma::fragment<wmma::matrix_a, fragment, fragment, fragment, half, wmma::row_major> a_part[Shape::down];
      wmma::fragment<wmma::matrix_b, fragment, fragment, fragment, half, wmma::row_major> b_part[Shape::across];
#pragma unroll
      for (int i = 0; i < Shape::down; ++i) wmma::load_matrix_sync(a_part[i], left + i * fragment * Shape::a_pitch + k, Shape::a_pitch);
#pragma unroll
      for (int j = 0; j < Shape::across; ++j) wmma::load_matrix_sync(b_part[j], right + k * Shape::b_pitch + j * fragment, Shape::b_pitch);
#pragma unroll
      for (int i = 0; i < Shape::down; ++i)
#pragma unroll
        for (int j = 0; j < Shape::across; ++j) wmma::mma_sync(sum[i][j], a_part[i], b_part[j], sum[i][j]);
    }
  }

  if (y0 + Shape::rows <= n && x0 + Shape::columns <= n) {
    float* const corner = c + (y0 + warp_y) * n + x0 + warp_x;
#pragma unroll
    for (int i = 0; i < Shape::down; ++i)
#pragma unroll
      for (int j = 0; j < Shape::across; ++j)
        wmma::store_matrix_sync(corner + i * fragment * n + j * fragment, sum[i][j], unsigned(n), wmma::mem_row_major);
    return;
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  float* const patch = reinterpret_cast<float*>(memory) + warp * fragment * fragment;
#pragma unroll
  for (int i = 0; i < Shape::down; ++i)
#pragma unroll
    for (int j = 0; j < Shape::across; ++j) {
      wmma::store_matrix_sync(patch, sum[i][j], fragment, wmma::mem_row_major);
      __syncwarp();
      index_t const row = y0 + warp_y + i * fragment, column = x0 + warp_x + j * fragment;
      for (int e = int(threadIdx.x) % 32; e < fragment * fragment; e += 32)
        if (row + e / fragment < n && column + e % fragment < n) c[(row + e / fragment) * n + column + e % fragment] = patch[e];
      __syncwarp();
    }
}

}  // namespace

void wmma_matmul(dolmen::cuda::stream const& s, dolmen::half const* a, dolmen::half const* b, float* c, index_t side) {
  static_assert(sizeof(dolmen::half) == sizeof(half));
  auto* const kernel = wmma_kernel<tuned>;
  [[maybe_unused]] static bool const allowed = [&] {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(tuned::shared_bytes)), "cudaFuncSetAttribute");
    return true;
  }();
  dim3 const blocks(unsigned(dolmen::ceil_div(side, index_t(tuned::columns))), unsigned(dolmen::ceil_div(side, index_t(tuned::rows))));
  kernel<<<blocks, tuned::threads, tuned::shared_bytes, s.native()>>>(reinterpret_cast<half const*>(a), reinterpret_cast<half const*>(b), c,
                                                                      side);
  check_launch("wmma_matmul");
}

void add_wmma_costs(kernel_costs& all) { all.push_back(cost_of("wmma_matmul", wmma_kernel<tuned>, tuned::threads, tuned::shared_bytes)); }

}  // namespace study::peers
