// Source lines as small numbers, so that a record of an access fits 64 bits.
#pragma once

#include <cstdint>
#include <string>

#include "../../core/source_location.hpp"
#include "findings.hpp"

namespace dolmen::check::impl {

using site = std::uint32_t;  // below 2^13; 0 is no line

/// The same number for the same line and column. The last one stands for all lines of a program with too many.
DOLMEN_API site site_of(source_location where);
/// File, line and column; without block and thread.
DOLMEN_API place place_of(site s);
/// A source file's name as it can be opened from anywhere. A compiler cache may have made it relative to the folder of the build,
/// which is the program's own or one above it; where no such file is found the name stays as it is.
std::string source_name(char const* file);

}  // namespace dolmen::check::impl
