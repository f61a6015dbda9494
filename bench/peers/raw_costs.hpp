// What the compiler made of a raw kernel. Only for files with device code.
#pragma once

#include <cuda_runtime.h>

#include "../kernel_costs.hpp"
#include "raw_launch.hpp"

namespace study::peers {

/// For blocks of `threads` threads with that much dynamic shared memory. Throws where there is no device.
template <class... Parameters>
kernel_cost cost_of(char const* name, void (*kernel)(Parameters...), int threads, std::size_t dynamic_bytes = 0) {
  cudaFuncAttributes a{};
  check(cudaFuncGetAttributes(&a, kernel), name);
  if (dynamic_bytes > 48 * 1024) check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(dynamic_bytes)), name);
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, dynamic_bytes), name);
  return {.kernel = name,
          .registers = a.numRegs,
          .local_bytes = index_t(a.localSizeBytes),
          .shared_bytes = index_t(a.sharedSizeBytes + dynamic_bytes),
          .threads = threads,
          .resident_blocks = resident};
}

/// Blocks of this kernel that a device holds at a time, and no more than there is work for.
template <class... Parameters>
unsigned resident_grid(int device, void (*kernel)(Parameters...), int threads, index_t most) {
  int processors = 0, resident = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0), "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  index_t const all = index_t(processors) * resident;
  return unsigned(all < most ? all : most);
}

}  // namespace study::peers
