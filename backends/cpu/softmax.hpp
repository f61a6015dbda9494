#pragma once

#include "../../algorithms/softmax.hpp"
#include "copy.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

template <class T>
void launch_softmax(stream const& s, dolmen::detail::row_plan<T> const& plan, bool logarithm, source_location where);

}  // namespace dolmen::cpu
