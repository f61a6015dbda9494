// Reductions by CUB, with temporary memory that is kept, as its users keep it; column sums, which it does not have, by a raw kernel.
#include <functional>

#include <cuda_fp16.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>

#include "peers.hpp"
#include "raw_launch.hpp"

namespace study::peers {
namespace {

using stream = dolmen::cuda::stream;

/// Calls algorithm(memory, bytes) twice, as CUB wants it: the first call asks for the size.
template <class Algorithm>
void with_temporary(stream const& s, Algorithm algorithm, char const* name) {
  static dolmen::buffer<std::byte, dolmen::cuda::backend> temporary;
  std::size_t bytes = 0;
  forget_pending_error();
  check(algorithm(nullptr, bytes), name);
  if (temporary.size() < index_t(bytes)) temporary = dolmen::buffer<std::byte, dolmen::cuda::backend>(s, index_t(bytes));
  check(algorithm(temporary.data(), bytes), name);
}

/// CUB's own name of an element type.
template <class T>
T const* native(T const* p) {
  return p;
}
__half const* native(dolmen::half const* p) { return reinterpret_cast<__half const*>(p); }

template <class T>
struct product {
  T const *a, *b;
  __host__ __device__ T operator()(index_t i) const { return a[i] * b[i]; }
};

struct start_of_row {
  index_t side;
  __host__ __device__ index_t operator()(index_t row) const { return row * side; }
};

constexpr int columns = 32, height = 8, rows_of_block = 512;

__global__ void __launch_bounds__(columns* height) sum_columns(float const* in, float* out, index_t side) {
  __shared__ float partial[height][columns];
  index_t const c = index_t(blockIdx.x) * columns + threadIdx.x, end = min(side, (blockIdx.y + 1) * index_t(rows_of_block));
  float sum = 0;
  if (c < side) {
#pragma unroll 8
    for (index_t r = blockIdx.y * index_t(rows_of_block) + threadIdx.y; r < end; r += height) sum += in[r * side + c];
  }
  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || c >= side) return;
  for (int y = 1; y < height; ++y) sum += partial[y][threadIdx.x];
  atomicAdd(out + c, sum);
}

}  // namespace

template <class T, class Sum>
void sum(stream const& s, T const* in, Sum* out, index_t n) {
  with_temporary(
      s,
      [&](void* room, std::size_t& bytes) {
        return cub::DeviceReduce::Reduce(room, bytes, native(in), out, n, ::cuda::std::plus<Sum>{}, Sum(0), s.native());
      },
      "DeviceReduce");
}
template void sum(stream const&, float const*, float*, index_t);
template void sum(stream const&, double const*, double*, index_t);
template void sum(stream const&, dolmen::half const*, float*, index_t);
template void sum(stream const&, std::int8_t const*, std::int64_t*, index_t);
template void sum(stream const&, std::int32_t const*, std::int64_t*, index_t);

template <class T>
void dot(stream const& s, T const* a, T const* b, T* out, index_t n) {
  with_temporary(
      s,
      [&](void* room, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(room, bytes, thrust::counting_iterator<index_t>(0), out, n, ::cuda::std::plus<T>{},
                                                  product<T>{a, b}, T(0), s.native());
      },
      "TransformReduce");
}
template void dot(stream const&, float const*, float const*, float*, index_t);
template void dot(stream const&, double const*, double const*, double*, index_t);

void argmin(stream const& s, float const* in, index_t* out, index_t n) {
#if CUB_VERSION >= 300000
  static dolmen::buffer<float, dolmen::cuda::backend> least(s, 1);
  with_temporary(
      s,
      [&](void* room, std::size_t& bytes) {
        return cub::DeviceReduce::ArgMin(room, bytes, in, least.data(), reinterpret_cast<::cuda::std::int64_t*>(out), n, s.native());
      },
      "ArgMin");
#else
  throw std::runtime_error("the CUB of this toolkit has no ArgMin with indices of 64 bits");
#endif
}

void row_sums(stream const& s, float const* in, float* out, index_t side) {
  auto const starts = thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0), start_of_row{side});
  with_temporary(
      s,
      [&](void* room, std::size_t& bytes) {
        return cub::DeviceSegmentedReduce::Sum(room, bytes, in, out, side, starts, starts + 1, s.native());
      },
      "DeviceSegmentedReduce");
}

void column_sums(stream const& s, float const* in, float* out, index_t side) {
  check(cudaMemsetAsync(out, 0, std::size_t(side) * sizeof(float), s.native()), "cudaMemsetAsync");
  dim3 const grid(unsigned(dolmen::ceil_div(side, index_t(columns))), unsigned(dolmen::ceil_div(side, index_t(rows_of_block))));
  sum_columns<<<grid, dim3(columns, height), 0, s.native()>>>(in, out, side);
  check_launch("sum_columns");
}

}  // namespace study::peers
