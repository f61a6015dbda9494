#pragma once

#include "../../algorithms/reduce_rows.hpp"
#include "reduce.hpp"

#if defined(__CUDACC__)
#include "reduce_rows.cuh"
#endif

namespace dolmen::cuda {

/// The library's own reducers: reduce_rows_*.cu.
template <class R>
void launch_reduce_rows(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                        typename R::result* out, source_location where);
template <class R>
void launch_reduce_columns(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                           typename R::result* out, source_location where);

/// A user's.
#if defined(__CUDACC__)
template <class R, class File = this_file>
void launch_reduce_rows_by(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                           typename R::result* out, source_location where) {
  impl::reduction::reduce_rows<File>(s, reducer, plan, in, out, where);
}
template <class R, class File = this_file>
void launch_reduce_columns_by(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                              typename R::result* out, source_location where) {
  impl::reduction::reduce_columns<File>(s, reducer, plan, in, out, where);
}
#else
#define DOLMEN_SEE_KERNELS                                                                                                              \
  " with an operator or element type of your own is used on a cuda::stream from a file that the CUDA compiler does not see: name this " \
  "file after KERNELS in dolmen_add_executable(target ... KERNELS file.cpp), or call dolmen_kernels(target file.cpp)"
template <class R>
void launch_reduce_rows_by(stream const&, R const&, dolmen::detail::rows_plan const&, typename R::first const*, typename R::result*,
                           source_location) {
  static_assert(!sizeof(R), "reduce_rows" DOLMEN_SEE_KERNELS);
}
template <class R>
void launch_reduce_columns_by(stream const&, R const&, dolmen::detail::rows_plan const&, typename R::first const*, typename R::result*,
                              source_location) {
  static_assert(!sizeof(R), "reduce_columns" DOLMEN_SEE_KERNELS);
}
#undef DOLMEN_SEE_KERNELS
#endif

}  // namespace dolmen::cuda
