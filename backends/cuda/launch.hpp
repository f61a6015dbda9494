// Launching kernels on a GPU. The real launcher is in launch.cuh, for files that nvcc compiles; anywhere else a launch is
// refused while compiling.
#pragma once

#include "../../core/launch.hpp"
#include "../../core/print.hpp"
#include "stream.hpp"

#if defined(__CUDACC__)
#include "launch.cuh"
#else

namespace dolmen::cuda {

template <class Kernel>
void launch_kernel(stream const&, grid, Kernel const&, source_location) {
  static_assert(!sizeof(Kernel),
                "a kernel is launched on a cuda::stream from a file that the CUDA compiler does not see: name this file after KERNELS in "
                "dolmen_add_executable(target ... KERNELS file.cpp), or call dolmen_kernels(target file.cpp)");
}

template <int Rank, class Body>
void launch_each(stream const&, extents<Rank>, Body const&, source_location) {
  static_assert(!sizeof(Body),
                "for_each_index runs on a cuda::stream from a file that the CUDA compiler does not see: name this file after KERNELS in "
                "dolmen_add_executable(target ... KERNELS file.cpp), or call dolmen_kernels(target file.cpp)");
}

}  // namespace dolmen::cuda
#endif
