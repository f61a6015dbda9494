#include "stencil.hpp"

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::compute_t;
using dolmen::detail::inside_index;
using dolmen::detail::stencil_plan;
using dolmen::detail::stencil_taps;
using dolmen::detail::strided;

template <class T>
void launch_stencil(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where) {
  strided<T const> in{p.in, {p.extent[0], p.extent[1], p.extent[2]}, {p.in_stride[0], p.in_stride[1]}};
  strided<T> out{p.out, {p.extent[0], p.extent[1], p.extent[2]}, {p.out_stride[0], p.out_stride[1]}};
  impl::algorithm const op("stencil", s, where);
  bool const readable = op.reads(in);
  if (!op.writes(out) || !readable) return;
  in = impl::opened(in);
  out = impl::opened(out);
  auto const neighbour = [&](index_t z, index_t y, index_t x) {
    index_t const at[3] = {inside_index(z, p.extent[0], p.rule), inside_index(y, p.extent[1], p.rule),
                           inside_index(x, p.extent[2], p.rule)};
    return at[0] < 0 || at[1] < 0 || at[2] < 0 ? 0.0 : double(in.data[in.offset(at[0], at[1]) + at[2]]);
  };
  for (index_t z = 0; z < p.extent[0]; ++z)
    for (index_t y = 0; y < p.extent[1]; ++y)
      for (index_t x = 0; x < p.extent[2]; ++x) {
        T& result = out.data[out.offset(z, y) + x];
        if (p.rule == boundary::copy && p.at_edge(z, y, x, taps.before, taps.behind)) {
          result = in.data[in.offset(z, y) + x];
          continue;
        }
        double sum = 0;
        for (int k = 0; k < taps.count; ++k)
          sum += double(taps.weight[k]) * neighbour(z + taps.offset[k][0], y + taps.offset[k][1], x + taps.offset[k][2]);
        result = T(sum);
      }
}

#define DOLMEN_STENCIL(T) \
  template DOLMEN_API void launch_stencil(stream const&, stencil_plan<T> const&, stencil_taps<compute_t<T>> const&, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_STENCIL)

}  // namespace dolmen::check
