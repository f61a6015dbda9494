// What this machine has: one table for every device of every backend, and what its memory pool holds.
#include <dolmen/dolmen.hpp>

#include "support/backends.hpp"

namespace {

template <class Device>
void print(Device const& device) {
  auto const properties = device.properties();
  std::printf("\n%s device %d\n", properties.backend.c_str(), device.index());
  for (auto const& [what, value] : dolmen::detail::describe(properties)) std::printf("  %-34s %s\n", what.c_str(), value.c_str());
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) {
    std::fprintf(stderr, "device_query takes no arguments.\n");
    return 2;
  }
  std::printf("Dolmen %s\n", DOLMEN_VERSION_STRING);
  return example::on_every_backend([](auto backend) {
    using device = typename decltype(backend)::device;
    for (int i = 0; i < device::count(); ++i) print(device(i));
    return device::count() > 0;
  });
}
