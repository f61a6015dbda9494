// Bulk copies into shared memory, which no thread waits for, and the barriers that tell when they are there (compute capability
// 9.0 and later; PTX ISA, "Asynchronous copy" and "mbarrier").
#pragma once

#include "runtime.hpp"

namespace dolmen::cuda::impl {

__device__ __forceinline__ unsigned shared_address(void const* p) { return unsigned(__cvta_generic_to_shared(p)); }

/// Lies in shared memory. A phase is over when as many threads have arrived as init() says, and all bytes that arrive_expecting()
/// announced have come. Phases are told apart by their parity: the first is 0.
class arrival_barrier {
 public:
  __device__ __forceinline__ void init(int arrivals) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals) : "memory");
#endif
  }
  /// By the thread that has called init(), before the block's barrier.
  static __device__ __forceinline__ void init_done() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async;" ::: "memory");
#endif
  }
  __device__ __forceinline__ void arrive() {
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared::cta.b64 state, [%0];\n\t}" ::"r"(shared_address(this)) : "memory");
#endif
  }
  __device__ __forceinline__ void arrive_expecting(int bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1;\n\t}" ::"r"(shared_address(this)),
                 "r"(bytes)
                 : "memory");
#endif
  }
  /// What threads wrote before they arrived, and the bytes, are seen behind it.
  __device__ __forceinline__ void wait(int parity) {
#if __CUDA_ARCH__ >= 900
    unsigned over = 0;
    do {
      asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                   : "=r"(over)
                   : "r"(shared_address(this)), "r"(parity)
                   : "memory");
    } while (over == 0);
#endif
  }

 private:
  std::uint64_t word_;
};

/// Addresses and bytes are multiples of 16; the bytes count towards `done`.
__device__ __forceinline__ void bulk_load(void* to, void const* from, int bytes, arrival_barrier& done) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(&done))
               : "memory");
#endif
}

/// Between what this thread has written to shared memory, or read of it, and later bulk copies to the same place.
__device__ __forceinline__ void fence_bulk() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// 16 bytes at a multiple of 16 in shared memory, in one access.
__device__ __forceinline__ uint4 load_shared(void const* from) {
  uint4 w;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)
               : "r"(shared_address(from))
               : "memory");
  return w;
}

}  // namespace dolmen::cuda::impl
