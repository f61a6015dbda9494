#include "device.hpp"

#include "../../core/emulation/machine.hpp"
#include "../../core/pool/memory_pool.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

using dolmen::detail::require;

device::device(int index, source_location where) {
  require(index == 0, where, "cpu: device ", index, " does not exist, there is only device 0");
}

device_properties device::properties() const { return emulation::machine_properties("cpu"); }

pool_statistics device::pool() const { return impl::pool().statistics(); }
void device::reset_pool_peak() const { impl::pool().reset_peak(); }
void device::trim_pool() const { impl::pool().trim(); }

}  // namespace dolmen::cpu
