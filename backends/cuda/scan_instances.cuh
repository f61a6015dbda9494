// For the library's files that hold bodies of scans; each of them has those of one operator.
#pragma once

#include "scan.cuh"

namespace dolmen::cuda {

using dolmen::detail::scan_plan;
using dolmen::detail::scan_value;

namespace impl {

/// Integers are combined in at least 32 bits; those of the result are the same.
template <class Value>
using scan_number_t = std::conditional_t<std::is_integral_v<Value> && sizeof(Value) < 4,
                                         std::conditional_t<std::is_signed_v<Value>, std::int32_t, std::uint32_t>, Value>;

/// The same scan, of elements under another name.
template <class In, class Out, class Value, class Plan>
scan_plan<In, Out, Value> renamed(Plan const& p, Value initial) {
  return {reinterpret_cast<In const*>(p.in),
          reinterpret_cast<Out*>(p.out),
          {p.extent[0], p.extent[1], p.extent[2]},
          {p.in_stride[0], p.in_stride[1]},
          {p.out_stride[0], p.out_stride[1]},
          p.apart,
          p.exclusive,
          initial};
}

}  // namespace impl

template <class In, class Out, class Value, class Op>
void launch_scan(stream const& s, scan_plan<In, Out, Value> const& p, Op op, source_location where) {
  constexpr bool inverted = std::is_same_v<Op, minimum>;
  if constexpr (inverted || std::is_same_v<Op, maximum>) {
    using T = impl::ordered_t<Out>;
    using wide = impl::scan_number_t<scan_value<T>>;
    impl::flipping_maximum<T> const served{impl::element_bits<T>(impl::flip_of<Out>(inverted))};
    wide initial;
    if constexpr (std::is_integral_v<T>)
      initial = impl::flipped(static_cast<T>(p.initial), served.flip.one());
    else
      initial = inverted ? -p.initial : p.initial;
    impl::scan<T, T, wide, impl::flipping_maximum<T>, this_file>(s, impl::renamed<T, T>(p, initial), served, where);
  } else {
    using wide = impl::scan_number_t<Value>;
    impl::scan<In, Out, wide, Op, this_file>(s, impl::renamed<In, Out>(p, wide(p.initial)), op, where);
  }
}

#define DOLMEN_SCAN(In, Out, Op) \
  template DOLMEN_API void launch_scan(stream const&, scan_plan<In, Out, scan_value<Out>> const&, Op, source_location);

}  // namespace dolmen::cuda
