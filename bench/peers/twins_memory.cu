// Memory on the GPU by hand: fill, copies, allocation, and the kernels that measure ceilings. Ceilings' methods: 0 a thread
// for every 16 bytes, 1 a grid that stays and moves several 16-byte pieces per turn, 2 CUDA's own copy and memset.
#include <cuda_runtime.h>

#include "peers.hpp"
#include "raw_launch.hpp"

namespace study::peers {

using stream = dolmen::cuda::stream;

namespace {

constexpr int threads = 256, unroll = 4;

/// out(i) for every i below n, each by a thread of its own.
template <class Body>
__global__ void __launch_bounds__(threads) once(index_t n, Body body) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i < n) body.store(i, body.load(i));
}

/// The same by a grid that stays: all loads of a turn come before its first store.
template <class Body>
__global__ void __launch_bounds__(threads) staying(index_t n, Body body) {
  constexpr index_t turn = threads * unroll;
  for (index_t first = index_t(blockIdx.x) * turn + threadIdx.x; first < n; first += index_t(gridDim.x) * turn) {
    float4 values[unroll];
#pragma unroll
    for (int k = 0; k < unroll; ++k)
      if (first + k * threads < n) values[k] = body.load(first + k * threads);
#pragma unroll
    for (int k = 0; k < unroll; ++k)
      if (first + k * threads < n) body.store(first + k * threads, values[k]);
  }
}

struct write_body {
  float4* out;
  __device__ float4 load(index_t) const { return {0.5f, 0.5f, 0.5f, 0.5f}; }
  __device__ void store(index_t i, float4 v) const { out[i] = v; }
};
struct copy_body {
  float4 const* in;
  float4* out;
  __device__ float4 load(index_t i) const { return in[i]; }
  __device__ void store(index_t i, float4 v) const { out[i] = v; }
};
struct triad_body {
  float4 const *a, *b;
  float4* out;
  __device__ float4 load(index_t i) const {
    float4 const x = a[i], y = b[i];
    return {x.x + 3 * y.x, x.y + 3 * y.y, x.z + 3 * y.z, x.w + 3 * y.w};
  }
  __device__ void store(index_t i, float4 v) const { out[i] = v; }
};
/// Stores nothing that is ever true of the ceilings' data, so that loads must happen and stores do not.
struct read_body {
  float4 const* in;
  float* sink;
  __device__ float4 load(index_t i) const { return in[i]; }
  __device__ void store(index_t, float4 v) const {
    if (v.x + v.y + v.z + v.w == -1e30f) *sink = v.x;
  }
};

template <class Body>
void run(stream const& s, int method, index_t floats, Body body) {
  index_t const n = floats / 4;
  if (method == 0) {
    once<<<unsigned(dolmen::ceil_div(n, index_t(threads))), threads, 0, s.native()>>>(n, body);
  } else {
    int processors = 0;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, s.device_index()), "cudaDeviceGetAttribute");
    staying<<<unsigned(processors * 8), threads, 0, s.native()>>>(n, body);
  }
  check_launch("ceiling");
}

float4 const* packs(float const* p) { return reinterpret_cast<float4 const*>(p); }
float4* packs(float* p) { return reinterpret_cast<float4*>(p); }

template <class T>
__global__ void __launch_bounds__(threads) fill_kernel(T* out, T value, index_t n) {
  index_t const i = index_t(blockIdx.x) * threads + threadIdx.x;
  if (i < n) out[i] = value;
}

}  // namespace

void ceiling_read(stream const& s, int method, float const* in, float* sink, index_t n) { run(s, method, n, read_body{packs(in), sink}); }
void ceiling_write(stream const& s, int method, float* out, index_t n) {
  if (method < 2) return run(s, method, n, write_body{packs(out)});
  check(cudaMemsetAsync(out, 0, std::size_t(n) * sizeof(float), s.native()), "cudaMemsetAsync");
}
void ceiling_copy(stream const& s, int method, float const* in, float* out, index_t n) {
  if (method < 2) return run(s, method, n, copy_body{packs(in), packs(out)});
  copy(s, in, out, n * index_t(sizeof(float)));
}
void ceiling_triad(stream const& s, int method, float const* a, float const* b, float* out, index_t n) {
  run(s, method, n, triad_body{packs(a), packs(b), packs(out)});
}

void poison(stream const& s, void* data, index_t bytes) {
  check(cudaMemsetAsync(data, 0xff, std::size_t(bytes), s.native()), "cudaMemsetAsync");
}

template <class T>
void fill(stream const& s, T* out, T value, index_t n) {
  fill_kernel<<<unsigned(dolmen::ceil_div(n, index_t(threads))), threads, 0, s.native()>>>(out, value, n);
  check_launch("fill");
}
template void fill(stream const&, float*, float, index_t);
template void fill(stream const&, double*, double, index_t);

void copy(stream const& s, void const* from, void* to, index_t bytes) {
  check(cudaMemcpyAsync(to, from, std::size_t(bytes), cudaMemcpyDeviceToDevice, s.native()), "cudaMemcpyAsync");
}
void upload(stream const& s, void const* from, void* to, index_t bytes) {
  check(cudaMemcpyAsync(to, from, std::size_t(bytes), cudaMemcpyHostToDevice, s.native()), "cudaMemcpyAsync");
}
void download(stream const& s, void const* from, void* to, index_t bytes) {
  check(cudaMemcpyAsync(to, from, std::size_t(bytes), cudaMemcpyDeviceToHost, s.native()), "cudaMemcpyAsync");
}

index_t free_device_bytes(stream const&) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return index_t(free);
}

void allocate_pair(stream const& s, int method, index_t bytes) {
  void* data = nullptr;
  if (method == 1) {
    check(cudaMalloc(&data, std::size_t(bytes)), "cudaMalloc");
    check(cudaFree(data), "cudaFree");
    return;
  }
  // CUDA's pool keeps what was freed; by default it gives it back at every synchronisation.
  [[maybe_unused]] static bool const kept = [&] {
    cudaMemPool_t pool;
    check(cudaDeviceGetDefaultMemPool(&pool, s.device_index()), "cudaDeviceGetDefaultMemPool");
    std::uint64_t most = ~std::uint64_t(0);
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most), "cudaMemPoolSetAttribute");
    return true;
  }();
  check(cudaMallocAsync(&data, std::size_t(bytes), s.native()), "cudaMallocAsync");
  check(cudaFreeAsync(data, s.native()), "cudaFreeAsync");
}

}  // namespace study::peers
