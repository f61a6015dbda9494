// Checks of arguments: what every header needs of errors, without the standard headers that the errors themselves take.
#pragma once

#include <initializer_list>

#include "source_location.hpp"
#include "types.hpp"

namespace dolmen {

class error;
class invalid_argument;
class out_of_memory;
class launch_error;
class device_error;
class backend_unavailable;

namespace detail {

/// A part of an error's text: characters, a number, or a shape ("3 x 5"). It refers to what it was made from.
class text_part {
 public:
  text_part(char const* text) : kind_(characters), text_{text, __builtin_strlen(text)} {}
  text_part(void const* p) : kind_(address), address_(p) {}
  text_part(char c) : kind_(character), integer_(c) {}
  template <std::integral N>
  text_part(N n) : kind_(std::is_signed_v<N> ? integer : natural), integer_(static_cast<long long>(n)) {}
  template <std::floating_point N>
  text_part(N n) : kind_(real), real_(static_cast<double>(n)) {}
  template <int Rank>
  text_part(extents<Rank> const& shape) : kind_(sizes), shape_{shape.begin(), Rank} {}
  /// std::string and std::string_view.
  template <class S>
  requires requires(S const& s) {
    { s.data() } -> std::same_as<char const*>;
    s.size();
  }
  text_part(S const& s) : kind_(characters), text_{s.data(), s.size()} {}

 private:
  friend struct text_writer;

  enum : unsigned char { characters, character, integer, natural, real, address, sizes } kind_;
  struct characters_of {
    char const* data;
    std::size_t size;
  };
  struct sizes_of {
    index_t const* data;
    std::size_t size;
  };
  union {
    characters_of text_;
    sizes_of shape_;
    long long integer_;
    double real_;
    void const* address_;
  };
};

/// Throws Error, one of the library's, with the parts joined.
template <class Error>
[[noreturn]] DOLMEN_API void fail(source_location where, std::initializer_list<text_part> parts);

/// Throws Error with the joined parts unless the condition holds; the parts are only formatted on failure.
template <class Error = invalid_argument, class... Parts>
void require(bool condition, source_location where, Parts const&... parts) {
  if (!condition) [[unlikely]]
    fail<Error>(where, {text_part(parts)...});
}

}  // namespace detail
}  // namespace dolmen
