#pragma once

#include "../../algorithms/histogram.hpp"
#include "fill.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

template <class T, class Count>
void launch_histogram(stream const& s, dolmen::detail::histogram_plan<T, Count> const& plan, source_location where);

}  // namespace dolmen::cpu
