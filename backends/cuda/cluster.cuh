// Messages between the blocks of a cluster (compute capability 9.0 and later).
#pragma once

#include "architecture.cuh"
#include "bulk.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define DOLMEN_HAS_CLUSTERS 1
#else
#define DOLMEN_HAS_CLUSTERS 0
#endif

namespace dolmen::cuda::impl {

#if DOLMEN_HAS_CLUSTERS

/// A value of 4, 8 or 16 bytes to the same place of another block of the cluster, counted by its barrier.
template <class T>
__device__ __forceinline__ void send(T& place, T const& value, arrival_barrier& b, int block) {
  std::uint32_t to, there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(&place)), "r"(block));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(&b)), "r"(block));
  if constexpr (sizeof(T) == 4)
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
                 "r"(__builtin_bit_cast(std::uint32_t, value)), "r"(there)
                 : "memory");
  else if constexpr (sizeof(T) == 16) {
    auto const words = __builtin_bit_cast(uint4, value);
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to), "r"(words.x),
                 "r"(words.y), "r"(words.z), "r"(words.w), "r"(there)
                 : "memory");
  } else
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

/// Whether the code that a device runs, of the file with this File, was made for an architecture that has clusters.
template <class File>
bool has_clusters(stream const& s, source_location where) {
  return built_architecture<File>(s.device_index(), where) >= 900;
}

inline cudaLaunchAttribute cluster_of(int blocks) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeClusterDimension;
  together.val.clusterDim = {unsigned(blocks), 1, 1};
  return together;
}

}  // namespace dolmen::cuda::impl
