// What happens when the program touches memory that is closed to it: device memory, and host memory that a copy may still use.
#pragma once

namespace dolmen::check::impl {

/// Takes the signal SIGSEGV, if somebody else has it; what is not of this library goes on to that one.
void take_faults();

}  // namespace dolmen::check::impl
