// The device of backends that run on the CPU: this machine.
#pragma once

#include "../device.hpp"

namespace dolmen::emulation {

/// What the system tells of the machine and of the cores that this process may use.
DOLMEN_API device_properties machine_properties(char const* backend);

}  // namespace dolmen::emulation
