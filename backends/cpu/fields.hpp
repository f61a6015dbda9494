#pragma once

#include "../../algorithms/fields.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

DOLMEN_API void launch_split_fields(stream const& s, dolmen::detail::fields_plan const& plan, source_location where);
DOLMEN_API void launch_join_fields(stream const& s, dolmen::detail::fields_plan const& plan, source_location where);

}  // namespace dolmen::cpu
