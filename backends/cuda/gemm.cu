#include "gemm.hpp"
#include "launch.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::gemm_plan;

constexpr int tile = 64, depth = 16, per_thread = 4, side = tile / per_thread, threads = side * side;

/// A 64 x 64 tile of C per block, 4 x 4 elements per thread, 16 of K at a time through shared memory.
template <class T>
__global__ void __launch_bounds__(threads) multiply(gemm_plan<T> const p, index_t column_tiles) {
  __shared__ T a[depth][tile + 1], b[depth][tile];
  index_t const row0 = index_t(blockIdx.x) / column_tiles * tile, column0 = index_t(blockIdx.x) % column_tiles * tile;
  int const rank = int(threadIdx.x), x = rank % side, y = rank / side;
  T sum[per_thread][per_thread] = {};
  for (index_t k0 = 0; k0 < p.k; k0 += depth) {
    for (int i = rank; i < tile * depth; i += threads) {
      int const r = i / depth, k = i % depth;
      a[k][r] = row0 + r < p.m && k0 + k < p.k ? p.a[(row0 + r) * p.lda + k0 + k] : T(0);
    }
    for (int i = rank; i < tile * depth; i += threads) {
      int const k = i / tile, c = i % tile;
      b[k][c] = k0 + k < p.k && column0 + c < p.n ? p.b[(k0 + k) * p.ldb + column0 + c] : T(0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      T left[per_thread], right[per_thread];
#pragma unroll
      for (int i = 0; i < per_thread; ++i) left[i] = a[k][y + i * side], right[i] = b[k][x + i * side];
#pragma unroll
      for (int i = 0; i < per_thread; ++i)
#pragma unroll
        for (int j = 0; j < per_thread; ++j) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < per_thread; ++i)
    for (int j = 0; j < per_thread; ++j) {
      index_t const row = row0 + y + i * side, column = column0 + x + j * side;
      if (row >= p.m || column >= p.n) continue;
      T& c = p.c[row * p.ldc + column];
      T const product = p.k > 0 ? p.alpha * sum[i][j] : T(0);
      c = p.beta == T(0) ? product : product + p.beta * c;  // with beta = 0, C is not read
    }
}

}  // namespace

template <class T>
void launch_gemm(stream const& s, gemm_plan<T> const& plan, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  index_t const row_tiles = ceil_div(plan.m, index_t(tile)), column_tiles = ceil_div(plan.n, index_t(tile));
  dolmen::detail::require<launch_error>(row_tiles <= 0x7fffffff / column_tiles, where, "gemm: a result of ", plan.m, " x ", plan.n,
                                        " needs more blocks than a grid has");
  impl::launch_native(s, "gemm", unsigned(row_tiles * column_tiles), threads, 0, where, multiply<T>, plan, column_tiles);
}

template DOLMEN_API void launch_gemm(stream const&, gemm_plan<float> const&, source_location);
template DOLMEN_API void launch_gemm(stream const&, gemm_plan<double> const&, source_location);

}  // namespace dolmen::cuda
