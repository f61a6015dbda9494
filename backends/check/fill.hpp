#pragma once

#include "../../algorithms/fill.hpp"
#include "memory.hpp"

namespace dolmen::check {

DOLMEN_API void launch_fill(stream const& s, dolmen::detail::fill_plan const& plan, source_location where);

}  // namespace dolmen::check
