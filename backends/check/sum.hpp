#pragma once

#include "../../algorithms/sum.hpp"
#include "copy.hpp"
#include "memory.hpp"

namespace dolmen::check {

/// `partial` has room for the plan's chunks.
template <class T, class Sum>
void launch_sum(stream const& s, dolmen::detail::sum_plan plan, dolmen::detail::strided<T const> in, Sum* partial, Sum* out,
                source_location where);

}  // namespace dolmen::check
