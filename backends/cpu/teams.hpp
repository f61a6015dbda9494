// How many threads a call may have, and threads for a process in which OpenMP has none.
#pragma once

#include <functional>

#include "../../core/types.hpp"

namespace dolmen::cpu::impl {

/// The number of threads that OpenMP gives a parallel region of the calling thread, or of those that run_on_own_threads has.
/// 1 inside of either. Never more than 1024, unless the machine runs more at once.
int team_limit();

/// Throws launch_error, which names the variables, if the system does not give this process n threads with the stack that
/// OpenMP's have: OpenMP itself ends the program then. Looks once for each larger n.
void require_threads(int n);

/// True in a process that was forked from one with several threads. They are not in it, and OpenMP would wait for its own for
/// ever.
bool threads_lost() noexcept;

/// Calls part(p) for every p in [0, parts), on threads that it makes and ends, and where there are no more, on the calling one.
/// part does not throw.
void run_on_own_threads(index_t parts, std::function<void(index_t)> const& part);

/// The same, but all at the same time. Returns the number of threads that there are: if it is not n, nothing was called.
int run_at_once_on_own_threads(int n, std::function<void(index_t)> const& part);

}  // namespace dolmen::cpu::impl
