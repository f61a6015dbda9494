// The histogram of bytes as a raw CUDA kernel: every block counts in shared memory and adds its bins to the result's at the end.
#include "peers.hpp"
#include "raw_costs.hpp"

namespace study::peers {

namespace {

constexpr int threads = 256, bins = 256, pack = 16;
constexpr index_t turn = index_t(threads) * pack;  // keys of a block in one turn
static_assert(bins == threads, "a thread has one bin to clear and to add");

__device__ __forceinline__ void count_four(unsigned* counts, unsigned keys) {
#pragma unroll
  for (int k = 0; k < 4; ++k) atomicAdd(counts + (keys >> (8 * k) & 0xff), 1u);
}

__global__ void __launch_bounds__(threads) histogram_kernel(std::uint8_t const* keys, unsigned* counts, index_t n) {
  __shared__ unsigned mine[bins];
  int const t = int(threadIdx.x);
  mine[t] = 0;
  __syncthreads();

  index_t first = index_t(blockIdx.x) * turn;
  for (; first + turn <= n; first += gridDim.x * turn) {
    uint4 const pack_of_keys = *reinterpret_cast<uint4 const*>(keys + first + t * pack);
    count_four(mine, pack_of_keys.x), count_four(mine, pack_of_keys.y), count_four(mine, pack_of_keys.z), count_four(mine, pack_of_keys.w);
  }
  for (index_t i = first + t; i < n; i += threads) atomicAdd(mine + keys[i], 1u);  // the last turn, for the block that comes to it

  __syncthreads();
  if (mine[t] != 0) atomicAdd(counts + t, mine[t]);
}

}  // namespace

void histogram(dolmen::cuda::stream const& s, std::uint8_t const* keys, std::uint32_t* counts, index_t n) {
  check(cudaMemsetAsync(counts, 0, bins * sizeof(*counts), s.native()), "cudaMemsetAsync");
  index_t const turns = dolmen::max<index_t>(1, dolmen::ceil_div(n, turn));
  static unsigned const resident = resident_grid(s.device_index(), histogram_kernel, threads, index_t(1) << 20);
  histogram_kernel<<<unsigned(dolmen::min<index_t>(resident, turns)), threads, 0, s.native()>>>(keys, counts, n);
  check_launch("histogram");
}

void add_histogram_costs(kernel_costs& all) { all.push_back(cost_of("histogram", histogram_kernel, threads)); }

}  // namespace study::peers
