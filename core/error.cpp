#include "error.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace dolmen {
namespace {

std::string located(std::string const& text, source_location where) {
  return detail::text(text, " (", where.file_name(), ':', where.line(), ')');
}

}  // namespace

error::error(std::string const& text, source_location where) : std::runtime_error(located(text, where)), where_(where) {}
error::error(std::string const& text) : std::runtime_error(text), where_() {}

// Defined here so that each type's run-time information exists once, in the library.
error::~error() = default;
invalid_argument::~invalid_argument() = default;
out_of_memory::~out_of_memory() = default;
launch_error::~launch_error() = default;
device_error::~device_error() = default;
backend_unavailable::~backend_unavailable() = default;

namespace detail {

std::string bytes_text(double bytes) {
  char const* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double scaled = bytes;
  int unit = 0;
  while (scaled >= 1024 && unit < 5) scaled /= 1024, ++unit;
  char buffer[64];
  if (unit == 0)
    std::snprintf(buffer, sizeof buffer, "%.0f B", bytes);
  else
    std::snprintf(buffer, sizeof buffer, "%.2f %s (%.0f B)", scaled, units[unit], bytes);
  return buffer;
}

std::string type_name(char const* mangled) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : mangled;
}

}  // namespace detail
}  // namespace dolmen
