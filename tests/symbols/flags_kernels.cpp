#include "flags.hpp"

std::string flags_of_a_kernel_file() { return describe_flags(); }
