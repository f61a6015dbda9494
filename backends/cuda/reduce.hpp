#pragma once

#include "../../algorithms/reduce.hpp"
#include "copy.hpp"
#include "memory.hpp"

#if defined(__CUDACC__)
#include "reduce.cuh"
#endif

namespace dolmen::cuda {

/// The library's own reducers: reduce_*.cu.
template <class R, class A, class B>
void launch_reduce(stream const& s, R const& reducer, dolmen::detail::strided_runs<A, B> const& in, typename R::result* out,
                   source_location where);

/// A user's.
#if defined(__CUDACC__)
template <class R, class A, class B, class File = this_file>
void launch_reduce_by(stream const& s, R const& reducer, dolmen::detail::strided_runs<A, B> const& in, typename R::result* out,
                      source_location where) {
  impl::reduction::reduce_whole<File>(s, reducer, in, out, where);
}
#else
template <class R, class A, class B>
void launch_reduce_by(stream const&, R const&, dolmen::detail::strided_runs<A, B> const&, typename R::result*, source_location) {
  static_assert(!sizeof(R),
                "a reduction with an operator, predicate or element type of your own is used on a cuda::stream from a file that the CUDA "
                "compiler does not see: name this file after KERNELS in dolmen_add_executable(target ... KERNELS file.cpp), or call "
                "dolmen_kernels(target file.cpp)");
}
#endif

}  // namespace dolmen::cuda
