#pragma once

#include "../../algorithms/transpose.hpp"
#include "copy.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

DOLMEN_API void launch_transpose(stream const& s, dolmen::detail::transpose_plan const& plan, source_location where);

}  // namespace dolmen::cpu
