// iota: numbers that rise by a step.
#pragma once

#include "../core/fused.hpp"
#include "element_types.hpp"

namespace dolmen {

namespace detail {

/// start and step as an iota is computed: in 64 bits that wrap, or in double.
template <class T>
using iota_scalar = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;

template <class T>
struct iota_plan {
  iota_scalar<T> start, step;
  DOLMEN_INLINE_FN T operator()(index_t i) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(start + std::uint64_t(i) * step);
    else
      return static_cast<T>(fused(double(i), step, start));
  }
};

}  // namespace detail

/// Element i of `out`, counted in row-major order whatever its rank and strides, becomes start + i * step. Integers wrap.
/// Floating-point numbers are computed in double by one fused multiply-add and rounded to the element type; they are the
/// same on every backend. Start and step are given as the element type, as double for half and bfloat16.
/// Elements: integers of 8 to 64 bits (not bool), float, double, half, bfloat16. Does not synchronise.
template <stream_type Stream, view_like Out>
void iota(Stream const& stream, Out&& out,
          std::conditional_t<half_type<detail::element_of<Out>>, double, std::type_identity_t<detail::element_of<Out>>> start = {},
          std::conditional_t<half_type<detail::element_of<Out>>, double, std::type_identity_t<detail::element_of<Out>>> step = 1,
          source_location where = source_location::current()) {
  detail::require_handles("iota", where, stream, out);
  using T = detail::element_of<Out>;
  static_assert(detail::number_element<T>, "iota: the elements are integers of 8 to 64 bits (not bool), float, double, half or bfloat16");
  auto const target = detail::as_body(detail::flat(detail::as_view(out)));
  if (target.size() == 0) return;
  using body = detail::body_t<T>;
  using scalar = detail::iota_scalar<body>;
  launch_iota(stream, target, detail::iota_plan<body>{static_cast<scalar>(start), static_cast<scalar>(step)}, where);
}

}  // namespace dolmen
