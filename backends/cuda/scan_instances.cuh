// For the library's files that hold bodies of scans; each of them has those of one operator.
#pragma once

#include "scan.cuh"

namespace dolmen::cuda {

using dolmen::detail::scan_plan;
using dolmen::detail::scan_value;

/// Integers are combined in at least 32 bits; those of the result are the same.
template <class In, class Out, class Value, class Op>
void launch_scan(stream const& s, scan_plan<In, Out, Value> const& p, Op op, source_location where) {
  using number = std::conditional_t<std::is_signed_v<Value>, std::int32_t, std::uint32_t>;
  using wide = std::conditional_t<std::is_integral_v<Value> && sizeof(Value) < 4, number, Value>;
  scan_plan<In, Out, wide> const plan{p.in,
                                      p.out,
                                      {p.extent[0], p.extent[1], p.extent[2]},
                                      {p.in_stride[0], p.in_stride[1]},
                                      {p.out_stride[0], p.out_stride[1]},
                                      p.apart,
                                      p.exclusive,
                                      wide(p.initial)};
  impl::scan<In, Out, wide, Op, this_file>(s, plan, op, where);
}

#define DOLMEN_SCAN(In, Out, Op) \
  template DOLMEN_API void launch_scan(stream const&, scan_plan<In, Out, scan_value<Out>> const&, Op, source_location);

}  // namespace dolmen::cuda
