// For which architectures the code of a file was made.
#pragma once

#include "runtime.hpp"

namespace dolmen::cuda::impl {

/// The architecture, as __CUDA_ARCH__ counts, of the code that runs on a device, of the file with this File.
template <class File>
int built_architecture(int device, source_location where) {
  int runs = 0;
#if defined(__CUDA_ARCH_LIST__)
  constexpr int built[] = {__CUDA_ARCH_LIST__};
  int major = 0, minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "cudaDeviceGetAttribute", where);
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "cudaDeviceGetAttribute", where);
  for (int architecture : built)
    if (architecture <= 100 * major + 10 * minor && architecture > runs) runs = architecture;
#endif
  return runs;
}

}  // namespace dolmen::cuda::impl
