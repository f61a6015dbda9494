// Source lines as small numbers, so that a record of an access fits 64 bits.
#pragma once

#include <cstdint>

#include "../../core/source_location.hpp"
#include "findings.hpp"

namespace dolmen::check::impl {

using site = std::uint32_t;  // below 2^13; 0 is no line

/// The same number for the same line and column. The last one stands for all lines of a program with too many.
DOLMEN_API site site_of(source_location where);
/// File, line and column; without block and thread.
DOLMEN_API place place_of(site s);

}  // namespace dolmen::check::impl
