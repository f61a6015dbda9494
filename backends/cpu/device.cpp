#include "device.hpp"

#include "../../core/emulation/machine.hpp"
#include "../../core/host_memory.hpp"
#include "../../core/pool/memory_pool.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

using dolmen::detail::require;
using dolmen::detail::with_host_memory;

device::device(int index, source_location where) {
  require(index == 0, where, "cpu: device ", index, " does not exist, there is only device 0");
}

device_properties device::properties(source_location where) const {
  return with_host_memory("properties", where, [] { return emulation::machine_properties("cpu"); });
}

pool_statistics device::pool(source_location where) const {
  return with_host_memory("pool", where, [] { return impl::pool().statistics(); });
}
void device::reset_pool_peak(source_location where) const {
  with_host_memory("reset_pool_peak", where, [] { impl::pool().reset_peak(); });
}
void device::trim_pool(source_location where) const {
  with_host_memory("trim_pool", where, [] { impl::pool().trim(); });
}

}  // namespace dolmen::cpu
