#pragma once

#include "../../algorithms/transform.hpp"
#include "memory.hpp"

#if defined(__CUDACC__)
#include "transform.cuh"
#else

namespace dolmen::cuda {

template <class F, class Out, class... In>
void launch_transform(stream const&, char const*, dolmen::detail::collapsed<1 + int(sizeof...(In))> const&, F const&, source_location, Out*,
                      In const*...) {
  static_assert(!sizeof(F),
                "transform is used on a cuda::stream from a file that the CUDA compiler does not see: name this file after KERNELS in "
                "dolmen_add_executable(target ... KERNELS file.cpp), or call dolmen_kernels(target file.cpp)");
}

}  // namespace dolmen::cuda
#endif
