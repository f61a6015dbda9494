#pragma once

#include "../../algorithms/linear.hpp"
#include "memory.hpp"

namespace dolmen::check {

/// out = factor x; the first of the space's views is out.
template <class T>
void launch_scale(stream const& s, dolmen::detail::collapsed<2> const& space, dolmen::detail::scalar_of<T> factor, T* out, T const* x,
                  source_location where);
/// out = b + factor c.
template <class T>
void launch_linear(stream const& s, char const* name, dolmen::detail::collapsed<3> const& space, dolmen::detail::scalar_of<T> factor,
                   T* out, T const* b, T const* c, source_location where);

}  // namespace dolmen::check
