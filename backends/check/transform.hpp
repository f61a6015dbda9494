#pragma once

#include "../../algorithms/transform.hpp"
#include "memory.hpp"
#include "ranges.hpp"

namespace dolmen::check {

namespace impl {

/// View v of a space.
template <class T, int Views>
dolmen::detail::strided<T> part_of(dolmen::detail::collapsed<Views> const& space, int v, T* data) {
  return {data, {space.extent[0], space.extent[1], space.extent[2]}, {space.stride[v][0], space.stride[v][1]}};
}

template <class F, class Out, class... In>
void transform_elements(F const& f, dolmen::detail::strided<Out> out, dolmen::detail::strided<In const> const&... in) {
  for (index_t z = 0; z < out.extent[0]; ++z)
    for (index_t y = 0; y < out.extent[1]; ++y)
      for (index_t x = 0; x < out.extent[2]; ++x) out.data[out.offset(z, y) + x] = static_cast<Out>(f(in.data[in.offset(z, y) + x]...));
}

}  // namespace impl

/// The first of the space's views is `out`.
template <class F, class Out, class... In>
void launch_transform(stream const& s, char const* name, dolmen::detail::collapsed<1 + int(sizeof...(In))> const& space, F const& f,
                      source_location where, Out* out, In const*... in) {
  impl::algorithm const op(name, s, where);
  [&]<std::size_t... V>(std::index_sequence<V...>) {
    auto const to = impl::part_of(space, 0, out);
    bool const readable = (int(op.reads(impl::part_of(space, int(V) + 1, in))) & ...) != 0;
    if (!op.writes(to) || !readable) return;
    op.calls(
        [&](impl::function_calls& calls) {
          impl::transform_elements(impl::watched<F>(f, calls), impl::opened(to), impl::opened(impl::part_of(space, int(V) + 1, in))...);
        },
        f);
  }
  (std::index_sequence_for<In...>());
}

}  // namespace dolmen::check
