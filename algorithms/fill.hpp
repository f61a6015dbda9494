// fill: every element of a view becomes one value.
#pragma once

#include <cstring>

#include "../core/layout.hpp"

namespace dolmen {

namespace detail {

/// What to write where. Bodies exist per unit of 1, 2, 4, 8 or 16 bytes; an element is `period` units long.
struct fill_plan {
  static constexpr int most_bytes = 64;
  void* data;
  index_t planes, rows, row_units;   // units of a row
  index_t plane_stride, row_stride;  // in units
  int unit_bytes, period;
  alignas(16) unsigned char value[most_bytes];
};

template <class T, int Rank>
fill_plan plan_fill(view<T, Rank> out, T const& value) {
  constexpr int bytes = sizeof(T);
  // The widest that divides the element and where it lies.
  auto const bits = reinterpret_cast<std::uintptr_t>(out.data()) | unsigned(bytes);
  int unit = 16;
  while (bits % unsigned(unit) != 0) unit /= 2;
  int const period = bytes / unit;
  auto const s = flat(out);
  fill_plan plan{out.data(), s.extent[0], s.extent[1], s.extent[2] * period, s.stride[0] * period, s.stride[1] * period, unit, period, {}};
  std::memcpy(plan.value, &value, sizeof value);
  return plan;
}

}  // namespace detail

/// Sets every element of `out` (view of any rank and strides, or buffer) to `value`. Elements up to 64 bytes. An empty view
/// is a no-op. Does not synchronise.
template <stream_type Stream, view_like Out>
void fill(Stream const& stream, Out&& out, std::type_identity_t<detail::element_of<Out>> value,
          [[maybe_unused]] source_location where = source_location::current()) {
  detail::require_handles("fill", where, stream, out);
  using T = detail::element_of<Out>;
  static_assert(!std::is_const_v<T>, "fill: the view is of constant elements");
  static_assert(sizeof(T) <= detail::fill_plan::most_bytes, "fill: elements are at most 64 bytes wide");
  auto const view = detail::as_view(out);
  if (!view.empty()) detail::with_host_memory("fill", where, [&] { launch_fill(stream, detail::plan_fill(view, value), where); });
}

}  // namespace dolmen
