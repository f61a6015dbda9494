#include "launch.cuh"
#include "sum.hpp"

namespace dolmen::cuda {
namespace {

using dolmen::detail::add;
using dolmen::detail::strided;
using dolmen::detail::sum_plan;

constexpr int threads = 256;

/// The block's sum, for thread 0: a tree whose shape never changes.
template <class Sum>
__device__ Sum block_tree(Sum value) {
  __shared__ Sum partial[threads];
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] = add(partial[threadIdx.x], partial[threadIdx.x + half]);
    __syncthreads();
  }
  return partial[0];
}

/// One block per chunk. Four sums per thread, so that four loads are under way at once.
template <class T, class Sum, bool Dense>
__global__ void __launch_bounds__(threads) sum_chunks(sum_plan const plan, strided<T const> const in, Sum* partial) {
  index_t const begin = blockIdx.x * plan.chunk, end = min(begin + plan.chunk, plan.n);
  auto const element = [&](index_t i) -> Sum {
    if constexpr (Dense) {
      return Sum(in.data[i]);
    } else {
      index_t const row = i / in.extent[2], column = i % in.extent[2];
      return Sum(in.data[row / in.extent[1] * in.stride[0] + row % in.extent[1] * in.stride[1] + column]);
    }
  };
  Sum sum[4] = {};
  index_t i = begin + threadIdx.x;
  for (; i + 3 * threads < end; i += 4 * threads) {
#pragma unroll
    for (int k = 0; k < 4; ++k) sum[k] = add(sum[k], element(i + k * threads));
  }
  for (; i < end; i += threads) sum[0] = add(sum[0], element(i));
  Sum const total = block_tree(add(add(sum[0], sum[1]), add(sum[2], sum[3])));
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

template <class Sum>
__global__ void __launch_bounds__(threads) sum_partials(Sum const* partial, index_t chunks, Sum* out) {
  Sum sum = 0;
  for (index_t i = threadIdx.x; i < chunks; i += threads) sum = add(sum, partial[i]);
  sum = block_tree(sum);
  if (threadIdx.x == 0) *out = sum;
}

}  // namespace

template <class T, class Sum>
void launch_sum(stream const& s, sum_plan plan, strided<T const> in, Sum* partial, Sum* out, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  auto const chunks = in.contiguous() ? sum_chunks<T, Sum, true> : sum_chunks<T, Sum, false>;
  impl::launch_native(s, "sum", unsigned(plan.chunks), threads, 0, where, chunks, plan, in, partial);
  impl::launch_native(s, "sum", 1, threads, 0, where, sum_partials<Sum>, partial, plan.chunks, out);
}

#define DOLMEN_SUM(T, Sum) template DOLMEN_API void launch_sum(stream const&, sum_plan, strided<T const>, Sum*, Sum*, source_location);
DOLMEN_SUM(float, float)
DOLMEN_SUM(float, double)
DOLMEN_SUM(double, double)
DOLMEN_SUM(std::int8_t, std::int64_t)
DOLMEN_SUM(std::int16_t, std::int64_t)
DOLMEN_SUM(std::int32_t, std::int64_t)
DOLMEN_SUM(std::int64_t, std::int64_t)
DOLMEN_SUM(std::uint8_t, std::uint64_t)
DOLMEN_SUM(std::uint16_t, std::uint64_t)
DOLMEN_SUM(std::uint32_t, std::uint64_t)
DOLMEN_SUM(std::uint64_t, std::uint64_t)

}  // namespace dolmen::cuda
