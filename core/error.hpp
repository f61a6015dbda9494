// Errors: what was asked, what was available, and the caller's file and line.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#include "config.hpp"
#include "source_location.hpp"

namespace dolmen {

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
  source_location where_;
};

/// A size, shape, range or handle that the operation cannot take. Nothing was done.
class DOLMEN_API invalid_argument : public error {
 public:
  using error::error;
  ~invalid_argument() override;
};

/// Memory ran out also after the pool had given back what it held.
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

/// "3 x 5" where a text names a shape.
template <class Shape>
requires requires(Shape const& s) { s.countable(); }
std::ostream& operator<<(std::ostream& out, Shape const& shape) {
  for (int d = 0; d < Shape::size(); ++d) out << (d ? " x " : "") << shape[d];
  return out;
}

namespace detail {

template <class... Parts>
std::string text(Parts const&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Throws Error with the joined parts unless the condition holds; the parts are only formatted on failure.
template <class Error = invalid_argument, class... Parts>
void require(bool condition, source_location where, Parts const&... parts) {
  if (!condition) [[unlikely]]
    throw Error(text(parts...), where);
}

/// "1.50 GiB" for people, with the exact number behind it.
DOLMEN_API std::string bytes_text(double bytes);

/// A readable name of a type, for error texts.
DOLMEN_API std::string type_name(char const* mangled);

}  // namespace detail
}  // namespace dolmen
