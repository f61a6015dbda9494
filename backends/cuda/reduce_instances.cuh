// For the library's files that hold bodies of reductions. What launch_reduce is given is done by the reducer that serves it.
#pragma once

#include "../../algorithms/reducer_types.hpp"
#include "reduce_bits.cuh"
#include "reduce_rows.hpp"

namespace dolmen::cuda {

using namespace dolmen::detail;

template <class R, class A, class B>
void launch_reduce(stream const& s, R const& r, strided_runs<A, B> const& in, typename R::result* out, source_location where) {
  auto const served = impl::reduction::serving(r);
  using S = std::remove_const_t<decltype(served)>;
  using first = typename S::first;
  using second = typename S::second;
  strided_runs<first, second> const seen{{reinterpret_cast<first const*>(in.data.a), reinterpret_cast<second const*>(in.data.b)},
                                         {in.extent[0], in.extent[1], in.extent[2]},
                                         {in.stride_a[0], in.stride_a[1]},
                                         {in.stride_b[0], in.stride_b[1]}};
  launch_reduce_by(s, served, seen, reinterpret_cast<typename S::result*>(out), where);
}

template <class R>
void launch_reduce_rows(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                        source_location where) {
  auto const served = impl::reduction::serving(r);
  using S = std::remove_const_t<decltype(served)>;
  launch_reduce_rows_by(s, served, plan, reinterpret_cast<typename S::first const*>(in), reinterpret_cast<typename S::result*>(out), where);
}
template <class R>
void launch_reduce_columns(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                           source_location where) {
  auto const served = impl::reduction::serving(r);
  using S = std::remove_const_t<decltype(served)>;
  launch_reduce_columns_by(s, served, plan, reinterpret_cast<typename S::first const*>(in), reinterpret_cast<typename S::result*>(out),
                           where);
}

}  // namespace dolmen::cuda
