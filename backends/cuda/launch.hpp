// Launching kernels on a GPU. The real launcher is in launch.cuh, for files that nvcc compiles; anywhere else a launch is
// refused while compiling.
#pragma once

#include "../../core/cooperative.hpp"
#include "../../core/print.hpp"
#include "stream.hpp"

#if defined(__CUDACC__)
#include "launch.cuh"
#else

#define DOLMEN_SEE_KERNELS                                                                                       \
  " is used on a cuda::stream from a file that the CUDA compiler does not see: name this file after KERNELS in " \
  "dolmen_add_executable(target ... KERNELS file.cpp), or call dolmen_kernels(target file.cpp)"

namespace dolmen::cuda {

template <class Kernel>
void launch_kernel(stream const&, grid, Kernel const&, source_location) {
  static_assert(!sizeof(Kernel), "launch" DOLMEN_SEE_KERNELS);
}
template <class Kernel>
void launch_cooperative_kernel(stream const&, grid, Kernel const&, source_location) {
  static_assert(!sizeof(Kernel), "launch_cooperative" DOLMEN_SEE_KERNELS);
}
template <class Kernel>
kernel_properties properties_of(stream const&, std::type_identity<Kernel>, source_location) {
  static_assert(!sizeof(Kernel), "kernel_facts" DOLMEN_SEE_KERNELS);
  return {};
}
template <class Kernel>
kernel_properties cooperative_properties_of(stream const&, std::type_identity<Kernel>, source_location) {
  static_assert(!sizeof(Kernel), "max_cooperative_blocks" DOLMEN_SEE_KERNELS);
  return {};
}
template <int Rank, class Body>
void launch_each(stream const&, extents<Rank>, Body const&, source_location) {
  static_assert(!sizeof(Body), "for_each_index" DOLMEN_SEE_KERNELS);
}

}  // namespace dolmen::cuda

#undef DOLMEN_SEE_KERNELS
#endif
