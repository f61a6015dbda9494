#pragma once

#include "../../algorithms/stencil.hpp"
#include "copy.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

/// Input and result share nothing.
template <class T>
void launch_stencil(stream const& s, dolmen::detail::stencil_plan<T> const& plan,
                    dolmen::detail::stencil_taps<dolmen::detail::compute_t<T>> const& taps, source_location where);

}  // namespace dolmen::cpu
