// The cores that this process may use, also where OpenMP has pinned the thread that asks.
#pragma once

#include <string>
#include <vector>

namespace study {

/// In rising order.
std::vector<int> allowed_cores();

/// Lets the calling thread, and what it starts, run on all of them.
void allow_all_cores();

/// "0-3,8" from numbers in rising order.
std::string ranges_text(std::vector<int> const& numbers);

}  // namespace study
