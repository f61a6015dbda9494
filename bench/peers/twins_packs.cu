// The transpose in packs as a raw CUDA kernel: 16 bytes at a time on both sides, through a padded tile.
#include "peers.hpp"
#include "raw_costs.hpp"

namespace study::peers {

namespace {

constexpr int side_of_tile = 64, pack = 4, packs = side_of_tile / pack;  // a row of the tile is 16 packs
constexpr int rows_of_block = 16, threads = packs * rows_of_block, rows_per_thread = side_of_tile / rows_of_block;

__global__ void __launch_bounds__(threads) transpose_kernel(float const* in, float* out, index_t n) {
  __shared__ float square[side_of_tile][side_of_tile + 1];
  index_t const x0 = index_t(blockIdx.x) * side_of_tile, y0 = index_t(blockIdx.y) * side_of_tile;
  int const tx = int(threadIdx.x) * pack, ty = int(threadIdx.y);
  bool const full = y0 + side_of_tile <= n && x0 + side_of_tile <= n;

  float4 values[rows_per_thread];
  if (full) {
#pragma unroll
    for (int i = 0; i < rows_per_thread; ++i)
      values[i] = *reinterpret_cast<float4 const*>(in + (y0 + ty + i * rows_of_block) * n + x0 + tx);
  } else {
#pragma unroll
    for (int i = 0; i < rows_per_thread; ++i)
      values[i] = y0 + ty + i * rows_of_block < n && x0 + tx < n
                      ? *reinterpret_cast<float4 const*>(in + (y0 + ty + i * rows_of_block) * n + x0 + tx)
                      : float4{};
  }
#pragma unroll
  for (int i = 0; i < rows_per_thread; ++i) {
    float* const row = &square[ty + i * rows_of_block][tx];
    row[0] = values[i].x, row[1] = values[i].y, row[2] = values[i].z, row[3] = values[i].w;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < rows_per_thread; ++i) {
    int const y = ty + i * rows_of_block;  // a row of out
    float4 const value = make_float4(square[tx][y], square[tx + 1][y], square[tx + 2][y], square[tx + 3][y]);
    // By __stwb: an assignment became four stores of four bytes.
    if (full || (x0 + y < n && y0 + tx < n)) __stwb(reinterpret_cast<float4*>(out + (x0 + y) * n + y0 + tx), value);
  }
}

}  // namespace

void transpose_packs(dolmen::cuda::stream const& s, float const* in, float* out, index_t side) {
  auto const tiles = unsigned(dolmen::ceil_div(side, index_t(side_of_tile)));
  transpose_kernel<<<dim3(tiles, tiles), dim3(packs, rows_of_block), 0, s.native()>>>(in, out, side);
  check_launch("transpose_packs");
}

void add_pack_costs(kernel_costs& all) { all.push_back(cost_of("transpose_pack", transpose_kernel, threads)); }

}  // namespace study::peers
