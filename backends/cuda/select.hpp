#pragma once

#include "../../algorithms/select.hpp"
#include "copy.hpp"
#include "fill.hpp"
#include "launch.hpp"
#include "memory.hpp"

namespace dolmen::cuda {

template <class T>
void launch_compact(stream const& s, dolmen::detail::select_plan<T> const& plan, source_location where);

#if defined(__CUDACC__)
template <class T, class Predicate, class File = this_file>
void launch_select(stream const& s, dolmen::detail::select_plan<T> const& plan, Predicate predicate, source_location where);
#else
template <class T, class Predicate>
void launch_select(stream const&, dolmen::detail::select_plan<T> const&, Predicate, source_location) {
  static_assert(!sizeof(Predicate),
                "select is used on a cuda::stream from a file that the CUDA compiler does not see: name this file after KERNELS in "
                "dolmen_add_executable(target ... KERNELS file.cpp), or call dolmen_kernels(target file.cpp)");
}
#endif

}  // namespace dolmen::cuda

#if defined(__CUDACC__)
#include "select.cuh"
#endif
