// What is said when the host's own memory runs out: out_of_memory with the call's name, never std::bad_alloc.
#pragma once

#include <new>

#include "require.hpp"

namespace dolmen::detail {

/// Throws out_of_memory that names the call. Where memory for the text is missing too, one that was made when the program began.
[[noreturn]] DOLMEN_API void host_memory_ran_out(char const* call, source_location where);

/// What f gives. Not for f that calls a user's functions: what those throw is theirs.
template <class F>
decltype(auto) with_host_memory(char const* call, source_location where, F&& f) {
  try {
    return f();
  } catch (std::bad_alloc const&) {
    host_memory_ran_out(call, where);
  }
}

}  // namespace dolmen::detail
