#include "../../core/access.hpp"
#include "../../core/error.hpp"

namespace dolmen::detail {

device_range device_addresses;

constinit thread_local access_recorder* recorder_of_thread = nullptr;

void access_recorder::outside(void const*, index_t, index_t, int, source_location) {}

bool access_recorder::read(void const* address, int width, source_location where) {
  return record({address, width, access_kind::read, where});
}
bool access_recorder::write(void const* address, int width, source_location where, void const* value) {
  access_event event{address, width, access_kind::write, where};
  event.value = value;
  return record(event);
}
void access_recorder::performed() {}
void access_recorder::uses_value(thread const&, int, source_location) {}
void access_recorder::collective() {}

void access_recorder::misaligned(void const* address, int width, index_t index, source_location where) {
  auto const behind = reinterpret_cast<std::uintptr_t>(address) % std::uintptr_t(width);
  throw invalid_argument(text("a pack of ", width, " bytes at index ", index, ": its address must be a multiple of ", width, ", it is ",
                              behind, " bytes behind one"),
                         where);
}

}  // namespace dolmen::detail
