// The same kernel must not be slow because the other compiler saw other flags.
#include <doctest/doctest.h>

#include "flags.hpp"

std::string flags_of_a_kernel_file();

TEST_CASE("flags: kernel files and plain files are compiled for the same machine") { CHECK(flags_of_a_kernel_file() == describe_flags()); }
