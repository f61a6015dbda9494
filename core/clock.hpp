// A clock of the host.
#pragma once

#include "types.hpp"

namespace dolmen::detail {

/// Since some moment, never going back.
DOLMEN_API index_t steady_nanoseconds();

}  // namespace dolmen::detail
