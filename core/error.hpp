// Errors: what was asked, what was available, and the caller's file and line.
#pragma once

#include <stdexcept>
#include <string>

#include "require.hpp"

namespace dolmen {

namespace detail {
struct error_without_memory;
}

/// Base of everything that Dolmen throws. what() ends in "(file:line)" of the call that failed.
class DOLMEN_API error : public std::runtime_error {
 public:
  error(std::string const& text, source_location where);
  /// A text that names its place itself.
  explicit error(std::string const& text);
  ~error() override;
  /// The place in the caller's source; empty where the text names another.
  source_location where() const noexcept { return where_; }

 private:
  friend struct detail::error_without_memory;
  source_location where_;
};

/// A size, shape, range or handle that the operation cannot take. Nothing was done.
class DOLMEN_API invalid_argument : public error {
 public:
  using error::error;
  ~invalid_argument() override;
};

/// Memory ran out also after the pool had given back what it held: the device's, or the host's own. Nothing was done.
class DOLMEN_API out_of_memory : public error {
 public:
  using error::error;
  ~out_of_memory() override;
};

/// The device cannot run this kernel in this shape, or an assertion inside a kernel failed on the CPU.
class DOLMEN_API launch_error : public error {
 public:
  using error::error;
  ~launch_error() override;
};

/// The device or its driver reported a failure.
class DOLMEN_API device_error : public error {
 public:
  using error::error;
  ~device_error() override;
};

/// This backend has no device here; the text says why.
class DOLMEN_API backend_unavailable : public error {
 public:
  using error::error;
  ~backend_unavailable() override;
};

/// "3 x 5", without the grouping of the stream's locale. The stream's type is a parameter, so that its header is only needed where shapes
/// are written.
template <class Character, class Traits, int Rank>
std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out, extents<Rank> const& shape) {
  for (int d = 0; d < Rank; ++d) out << (d ? " x " : "") << std::to_string(shape[d]).c_str();
  return out;
}

namespace detail {

DOLMEN_API std::string joined(std::initializer_list<text_part> parts);

template <class... Parts>
std::string text(Parts const&... parts) {
  return joined({text_part(parts)...});
}

/// printf's "%.2f" for 2 digits, in the classic locale.
DOLMEN_API std::string fixed_text(double value, int digits);

/// "1.50 GiB" for people, with the exact number behind it.
DOLMEN_API std::string bytes_text(double bytes);

/// A readable name of a type, for error texts.
DOLMEN_API std::string type_name(char const* mangled);

}  // namespace detail
}  // namespace dolmen
