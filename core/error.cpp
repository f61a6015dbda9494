#include "error.hpp"

#include <cxxabi.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <utility>

#include "host_memory.hpp"

namespace dolmen {

namespace detail {

// Copies of it allocate nothing.
struct error_without_memory {
  static inline constinit out_of_memory const* made = nullptr;

  [[noreturn]] static void raise(source_location where) {
    if (!made) throw std::bad_alloc();  // before the library's own static objects
    out_of_memory copy(*made);
    copy.where_ = where;
    throw copy;
  }
};

}  // namespace detail

namespace {

// Never destroyed: memory may run out until the end.
[[maybe_unused]] bool const made_early =
    (detail::error_without_memory::made = new out_of_memory("out of memory on the host; none is left to say in which call")) != nullptr;

std::string located(std::string const& text, source_location where) {
  if (where.line() == 0) return text;  // a call that cannot know its caller's place
  return detail::text(text, " (", where.file_name(), ':', where.line(), ')');
}

}  // namespace

error::error(std::string const& text, source_location where) try : std
  ::runtime_error(located(text, where)), where_(where) {}
catch (std::bad_alloc const&) {
  detail::error_without_memory::raise(where);
}
error::error(std::string const& text) try : std
  ::runtime_error(text), where_() {}
catch (std::bad_alloc const&) {
  detail::error_without_memory::raise(source_location());
}

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
        number(p.real_, std::chars_format::general, 6);
        break;
      case text_part::address:
        out += "0x";
        number(reinterpret_cast<std::uintptr_t>(p.address_), 16);
        break;
      case text_part::sizes:
        for (std::size_t d = 0; d < p.shape_.size; ++d) out += (d ? " x " : "") + std::to_string(p.shape_.data[d]);
        break;
    }
  }

  // As the classic locale has it, whatever locale the program set.
  template <class T, class... Format>
  void number(T value, Format... format) {
    char buffer[32];
    auto const [end, failure] = std::to_chars(buffer, buffer + sizeof buffer, value, format...);
    out.append(buffer, end);
  }
};

namespace {
std::string written(std::initializer_list<text_part> parts) {
  text_writer write;
  for (auto const& p : parts) write(p);
  return std::move(write.out);
}
}  // namespace

std::string joined(std::initializer_list<text_part> parts) {
  try {
    return written(parts);
  } catch (std::bad_alloc const&) {
    error_without_memory::raise(source_location());
  }
}

void host_memory_ran_out(char const* call, source_location where) {
  try {
    throw out_of_memory(written({call, ": out of memory on the host"}), where);
  } catch (std::bad_alloc const&) {
    error_without_memory::raise(where);
  }
}

template <class Error>
void fail(source_location where, std::initializer_list<text_part> parts) {
  try {
    throw Error(written(parts), where);
  } catch (std::bad_alloc const&) {
    error_without_memory::raise(where);
  }
}
template DOLMEN_API void fail<error>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<invalid_argument>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<out_of_memory>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<launch_error>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<device_error>(source_location, std::initializer_list<text_part>);
template DOLMEN_API void fail<backend_unavailable>(source_location, std::initializer_list<text_part>);

std::string fixed_text(double value, int digits) {
  char buffer[512];  // the largest double has 309 digits
  auto const [end, failure] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits);
  return std::string(buffer, failure == std::errc() ? end : buffer);
}

std::string bytes_text(double bytes) {
  char const* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double scaled = bytes;
  int unit = 0;
  while (scaled >= 1024 && unit < 5) scaled /= 1024, ++unit;
  if (unit == 0) return text(fixed_text(bytes, 0), " B");
  return text(fixed_text(scaled, 2), ' ', units[unit], " (", fixed_text(bytes, 0), " B)");
}

std::string type_name(char const* mangled) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return text(status == 0 ? name.get() : mangled);
}

}  // namespace detail
}  // namespace dolmen
