#pragma once

#include <stdexcept>

namespace study {

/// What the command line asked for that cannot be. Exit status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace study
