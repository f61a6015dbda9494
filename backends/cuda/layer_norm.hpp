#pragma once

#include "../../algorithms/layer_norm.hpp"
#include "copy.hpp"
#include "memory.hpp"

namespace dolmen::cuda {

template <class T>
void launch_norm(stream const& s, dolmen::detail::row_plan<T> const& plan, dolmen::detail::norm_weights<T> const& weights,
                 source_location where);

}  // namespace dolmen::cuda
