// What compute capability 9.0 has beside threads: barriers in shared memory that count bytes, bulk copies, and messages between
// the blocks of a cluster.
#pragma once

#include "runtime.hpp"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define DOLMEN_HAS_BULK_COPIES 1
#else
#define DOLMEN_HAS_BULK_COPIES 0
#endif

namespace dolmen::cuda::impl {

/// In shared memory. A phase ends when as many have arrived as the barrier was made for and all announced bytes are there; bytes
/// may come before they are announced. Phases have parities 0, 1, 0, ...
struct byte_barrier {
  std::uint64_t word;
};

#if DOLMEN_HAS_BULK_COPIES

__device__ __forceinline__ std::uint32_t shared_address(void const* p) { return std::uint32_t(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void make_barrier(byte_barrier& b, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&b)), "r"(arrivals) : "memory");
}
/// After a thread's last make_barrier: copies of this thread may use them, and those of others after a barrier of the block or
/// the cluster.
__device__ __forceinline__ void barriers_made() { asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async;" ::: "memory"); }
__device__ __forceinline__ void arrive_for_bytes(byte_barrier& b, int bytes) {
  asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1;\n\t}" ::"r"(shared_address(&b)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ bool phase_over(byte_barrier& b, int parity) {
  int over;
  asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.s32 %0, 1, 0, p;\n\t}"
               : "=r"(over)
               : "r"(shared_address(&b)), "r"(parity)
               : "memory");
  return over != 0;
}
__device__ __forceinline__ void wait_for_phase(byte_barrier& b, int parity) {
  while (!phase_over(b, parity)) {
  }
}

/// Global to this block's shared memory; addresses and bytes are multiples of 16.
__device__ __forceinline__ void bulk_copy(void* to, void const* from, int bytes, byte_barrier& b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(&b))
               : "memory");
}
/// A value of four or eight bytes to the same place of another block of the cluster, counted by its barrier.
template <class T>
__device__ __forceinline__ void send(T& place, T const& value, byte_barrier& b, int block) {
  std::uint32_t to, there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(&place)), "r"(block));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(&b)), "r"(block));
  if constexpr (sizeof(T) == 4)
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
                 "r"(__builtin_bit_cast(std::uint32_t, value)), "r"(there)
                 : "memory");
  else
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
                 "l"(__builtin_bit_cast(std::uint64_t, value)), "r"(there)
                 : "memory");
}

__device__ __forceinline__ int cluster_rank() {
  int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ int cluster_blocks() {
  int blocks;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  return blocks;
}
__device__ __forceinline__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

#endif

/// Whether the code that a device runs was made for an architecture that has clusters.
inline bool has_clusters(stream const& s, source_location where) {
#if defined(__CUDA_ARCH_LIST__)
  constexpr int built[] = {__CUDA_ARCH_LIST__};
  int major = 0, minor = 0, runs = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, s.device_index()), "cudaDeviceGetAttribute", where);
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, s.device_index()), "cudaDeviceGetAttribute", where);
  for (int architecture : built)
    if (architecture <= 100 * major + 10 * minor && architecture > runs) runs = architecture;
  return runs >= 900;
#else
  return false;
#endif
}

inline cudaLaunchAttribute cluster_of(int blocks) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeClusterDimension;
  together.val.clusterDim = {unsigned(blocks), 1, 1};
  return together;
}

}  // namespace dolmen::cuda::impl
