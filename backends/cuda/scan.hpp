#pragma once

#include "../../algorithms/scan.hpp"
#include "launch.hpp"
#include "memory.hpp"

namespace dolmen::cuda {

/// Built-in operators.
template <class In, class Out, class Value, class Op>
void launch_scan(stream const& s, dolmen::detail::scan_plan<In, Out, Value> const& plan, Op, source_location where);

#if defined(__CUDACC__)
/// A user's operator.
template <class T, class Op, class File = this_file>
void launch_scan_by(stream const& s, dolmen::detail::scan_plan<T, T, T> const& plan, Op op, source_location where);
#else
template <class T, class Op>
void launch_scan_by(stream const&, dolmen::detail::scan_plan<T, T, T> const&, Op, source_location) {
  static_assert(!sizeof(Op),
                "a scan with an operator of your own is used on a cuda::stream from a file that the CUDA compiler does not see: name this "
                "file after KERNELS in dolmen_add_executable(target ... KERNELS file.cpp), or call dolmen_kernels(target file.cpp)");
}
#endif

}  // namespace dolmen::cuda

#if defined(__CUDACC__)
#include "scan.cuh"
#endif
