// The memory of this process, as the system knows it.
#pragma once

#include <cstdint>
#include <optional>

namespace dolmen::check::impl {

struct mapping {
  std::uintptr_t begin, end;
  bool readable, writable, executable;
  bool of_file;  // a program's or a library's part, with its variables
};

/// What this address lies in.
std::optional<mapping> mapping_of(std::uintptr_t address);

}  // namespace dolmen::check::impl
