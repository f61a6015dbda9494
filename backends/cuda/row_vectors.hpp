// The ways for rows of whole vectors of 16 bytes: false, and nothing done, where rows are others or the device has no way for them.
#pragma once

#include "layer_norm.hpp"
#include "softmax.hpp"

namespace dolmen::cuda {

template <class T>
bool launch_softmax_vectors(stream const& s, dolmen::detail::row_plan<T> const& plan, bool logarithm, source_location where);
template <class T>
bool launch_norm_vectors(stream const& s, dolmen::detail::row_plan<T> const& plan, dolmen::detail::norm_weights<T> const& weights,
                         source_location where);

}  // namespace dolmen::cuda
