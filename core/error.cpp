#include "error.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

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

struct text_writer {
  std::string out;

  void operator()(text_part const& p) {
    switch (p.kind_) {
      case text_part::characters:
        out.append(p.text_.data, p.text_.size);
        break;
      case text_part::character:
        out += static_cast<char>(p.integer_);
        break;
      case text_part::integer:
        out += std::to_string(p.integer_);
        break;
      case text_part::natural:
        out += std::to_string(static_cast<unsigned long long>(p.integer_));
        break;
      case text_part::real:
        formatted("%g", p.real_);
        break;
      case text_part::address:
        formatted("%p", p.address_);
        break;
      case text_part::sizes:
        for (std::size_t d = 0; d < p.shape_.size; ++d) out += (d ? " x " : "") + std::to_string(p.shape_.data[d]);
        break;
    }
  }

  template <class T>
  void formatted(char const* format, T value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, format, value);
    out += buffer;
  }
};

std::string joined(std::initializer_list<text_part> parts) {
  text_writer write;
  for (auto const& p : parts) write(p);
  return std::move(write.out);
}

template <class Error>
void fail(source_location where, std::initializer_list<text_part> parts) {
  throw Error(joined(parts), where);
}
template DOLMEN_API void fail<error>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<invalid_argument>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<out_of_memory>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<launch_error>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<device_error>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<backend_unavailable>(source_location, std::initializer_list<text_part>);

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
