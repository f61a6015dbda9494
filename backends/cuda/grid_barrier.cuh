// The barrier of all blocks of a cooperative launch.
#pragma once

#include <cstdio>

namespace dolmen::cuda {

/// Counts arrivals in one word of device memory that begins as 0. Each time all blocks come, they add 2^31 together: the
/// highest bit turns when the last one is there, and nothing is ever put back. (The algorithm of CUDA's cooperative groups,
/// whose header takes longer to compile than most kernels.)
class grid_barrier {
 public:
  /// No barrier: a plain launch.
  grid_barrier() = default;
  __device__ __forceinline__ explicit grid_barrier(unsigned* arrived) : arrived_(arrived) {
    __builtin_assume(arrived != nullptr);  // no branch, and no call of printf, which would cost registers
  }

  /// `first`: the one thread of the block that counts for it. Also a barrier of the block.
  __device__ __forceinline__ void wait(bool first) const {
    if (!arrived_) {
      if (first)
        printf("block.grid_sync: the kernel runs by launch, whose blocks need not run at the same time; it needs launch_cooperative\n");
      __syncthreads();
      __trap();
      return;
    }
    __syncthreads();
    if (first) {
      constexpr unsigned turn = 1u << 31;
      bool const leads = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
      unsigned const share = leads ? turn - (gridDim.x * gridDim.y * gridDim.z - 1) : 1;
      // The fence passes on what all threads of this block wrote: they are ordered before it by the block's barrier.
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      unsigned const before = atomicAdd(arrived_, share);
      unsigned now;
      do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(arrived_) : "memory");
      while (((before ^ now) & turn) == 0);
    }
    __syncthreads();
  }

 private:
  unsigned* arrived_ = nullptr;
};

}  // namespace dolmen::cuda
