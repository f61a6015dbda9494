// Sum and scan by warp shuffles as raw CUDA kernels.
#include "peers.hpp"
#include "raw_costs.hpp"

namespace study::peers {

namespace {

constexpr int threads = 256, warps = threads / 32, pack = 4, packs_per_turn = 4;
constexpr index_t turn = index_t(threads) * packs_per_turn * pack;  // elements of a block in one turn
constexpr unsigned all_lanes = 0xffffffff;

__device__ __forceinline__ float warp_total(float value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(all_lanes, value, step);
  return value;
}

/// The sum of all threads' values, in thread 0.
__device__ __forceinline__ float block_total(float value, float (&partial)[warps]) {
  int const lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  value = warp_total(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_total(lane < warps ? partial[lane] : 0.0f);
  return value;
}

/// A grid that stays; the block that draws the last ticket adds the others' sums, always in the same order.
__global__ void __launch_bounds__(threads) sum_kernel(float const* in, float* out, float* partial, unsigned* ticket, index_t n) {
  __shared__ float of_warps[warps];
  __shared__ bool last;
  int const t = int(threadIdx.x);
  float4 sum{};
  index_t first = index_t(blockIdx.x) * turn;
  for (; first + turn <= n; first += gridDim.x * turn) {
    float4 values[packs_per_turn];
#pragma unroll
    for (int k = 0; k < packs_per_turn; ++k) values[k] = *reinterpret_cast<float4 const*>(in + first + (k * threads + t) * pack);
#pragma unroll
    for (int k = 0; k < packs_per_turn; ++k) sum.x += values[k].x, sum.y += values[k].y, sum.z += values[k].z, sum.w += values[k].w;
  }
  for (index_t i = first + t; i < n; i += threads) sum.x += in[i];  // the last turn, for the block that comes to it
  float value = (sum.x + sum.y) + (sum.z + sum.w);
  value = block_total(value, of_warps);

  if (t == 0) {
    partial[blockIdx.x] = value;
    __threadfence();
    last = atomicAdd(ticket, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  value = 0;
  for (unsigned b = t; b < gridDim.x; b += threads) value += __ldcg(partial + b);
  value = block_total(value, of_warps);
  if (t == 0) *out = value, *ticket = 0;
}

__device__ __forceinline__ float warp_scan(float value, int lane) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    float const below = __shfl_up_sync(all_lanes, value, step);
    if (lane >= step) value += below;
  }
  return value;
}

constexpr int run = threads * pack;

/// Every block scans a run of its own.
__global__ void __launch_bounds__(threads) scan_kernel(float const* in, float* out, index_t n) {
  __shared__ float of_warps[warps];
  int const t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  index_t const i = index_t(blockIdx.x) * run + t * pack;
  bool const full = index_t(blockIdx.x + 1) * run <= n;

  float v[pack];
  if (full) {
    float4 const values = *reinterpret_cast<float4 const*>(in + i);
    v[0] = values.x, v[1] = values.y, v[2] = values.z, v[3] = values.w;
  } else {
#pragma unroll
    for (int k = 0; k < pack; ++k) v[k] = i + k < n ? in[i + k] : 0.0f;
  }
#pragma unroll
  for (int k = 1; k < pack; ++k) v[k] += v[k - 1];
  float const through = warp_scan(v[pack - 1], lane);
  float before = __shfl_up_sync(all_lanes, through, 1);
  if (lane == 0) before = 0;
  if (lane == 31) of_warps[warp] = through;
  __syncthreads();
  float base = 0;
#pragma unroll
  for (int w = 0; w < warps - 1; ++w)
    if (w < warp) base += of_warps[w];
  before += base;
#pragma unroll
  for (int k = 0; k < pack; ++k) v[k] += before;
  if (full) {
    *reinterpret_cast<float4*>(out + i) = {v[0], v[1], v[2], v[3]};
  } else {
#pragma unroll
    for (int k = 0; k < pack; ++k)
      if (i + k < n) out[i + k] = v[k];
  }
}

}  // namespace

void warp_sum(dolmen::cuda::stream const& s, float const* in, float* out, float* partial, index_t most, std::uint32_t* ticket, index_t n) {
  static unsigned const resident = resident_grid(s.device_index(), sum_kernel, threads, most);
  index_t const turns = dolmen::max<index_t>(1, dolmen::ceil_div(n, turn));
  sum_kernel<<<unsigned(dolmen::min<index_t>(resident, turns)), threads, 0, s.native()>>>(in, out, partial, ticket, n);
  check_launch("warp_sum");
}

void block_scan(dolmen::cuda::stream const& s, float const* in, float* out, index_t n) {
  scan_kernel<<<unsigned(dolmen::ceil_div(n, index_t(run))), threads, 0, s.native()>>>(in, out, n);
  check_launch("block_scan");
}

void add_shuffle_costs(kernel_costs& all) {
  all.push_back(cost_of("warp_sum", sum_kernel, threads));
  all.push_back(cost_of("block_scan", scan_kernel, threads));
}

}  // namespace study::peers
