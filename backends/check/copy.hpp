#pragma once

#include "../../algorithms/copy.hpp"
#include "memory.hpp"

namespace dolmen::check {

DOLMEN_API void launch_copy(stream const& s, dolmen::detail::copy_plan const& plan, source_location where);
DOLMEN_API void launch_upload(stream const& s, dolmen::detail::copy_plan const& plan, source_location where);
DOLMEN_API void launch_download(stream const& s, dolmen::detail::copy_plan const& plan, source_location where);

}  // namespace dolmen::check
