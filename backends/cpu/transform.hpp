#pragma once

#include <utility>

#include "../../algorithms/transform.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "row_pieces.hpp"
#include "stream_store.hpp"

namespace dolmen::cpu {

namespace impl {

template <class File, class F, class Out, class... In>
[[gnu::flatten]] inline void transform_row(F const& f, bool past, index_t n, Out* out, In const*... in) {
  F const local = f;
  make_elements(out, n, past, [&](Out* to, index_t first, index_t count) {
    [&](auto const*... from) {
      DOLMEN_SIMD for (index_t i = 0; i < count; ++i) to[i] = static_cast<Out>(local(from[i]...));
    }(in + first...);
  });
}

}  // namespace impl

/// The first of the space's views is `out`.
template <class F, class Out, class... In, class File = this_file>
inline void launch_transform(stream const&, char const*, dolmen::detail::collapsed<1 + int(sizeof...(In))> const& space, F const& f,
                             source_location, Out* out, In const*... in) {
  // In place the lines are in the cache already.
  bool const in_place = ((static_cast<void const*>(in) == static_cast<void const*>(out)) || ...);
  bool const past = !in_place && past_caches(space.size() * index_t(sizeof(Out) + (sizeof(In) + ...)));
  run_pieces(space.extent, impl::smallest_part, [=](index_t plane, index_t row, index_t column, index_t count) {
    auto const offset = [&](std::size_t v) { return plane * space.stride[v][0] + row * space.stride[v][1] + column; };
    [&]<std::size_t... V>(std::index_sequence<V...>) { impl::transform_row<File>(f, past, count, out + offset(0), in + offset(V + 1)...); }
    (std::index_sequence_for<In...>());
  });
}

}  // namespace dolmen::cpu
