// The caller's file and line: one type for all compilers, so that objects of different ones go together.
#pragma once

#include <cstdint>
#include <version>

#if defined(__cpp_lib_source_location)
#include <source_location>
#endif

#include "config.hpp"

namespace dolmen {

namespace types {

/// As std::source_location, without the function's name. Not that type: clang 14 has none, and what it holds differs from one
/// standard library to the next.
class source_location {
 public:
  /// A place that nobody named.
  source_location() = default;
  DOLMEN_FN constexpr source_location(char const* file, std::uint32_t line, std::uint32_t column) noexcept
      : file_(file), line_(line), column_(column) {}
#if defined(__cpp_lib_source_location)
  constexpr source_location(std::source_location const& there) noexcept
      : source_location(there.file_name(), there.line(), there.column()) {}
#endif
#if defined(__CUDACC__)  // what the device can evaluate too; nothing that nvcc compiles reports columns
  DOLMEN_FN static constexpr source_location current(char const* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE()) noexcept {
    return {file, line, 0};
  }
#elif defined(__cpp_lib_source_location)
  static constexpr source_location current(std::source_location here = std::source_location::current()) noexcept { return here; }
#else
  static constexpr source_location current(char const* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE(),
                                           std::uint32_t column = __builtin_COLUMN()) noexcept {
    return {file, line, column};
  }
#endif
  DOLMEN_FN constexpr char const* file_name() const noexcept { return file_; }
  DOLMEN_FN constexpr std::uint32_t line() const noexcept { return line_; }
  DOLMEN_FN constexpr std::uint32_t column() const noexcept { return column_; }

 private:
  char const* file_ = "";
  std::uint32_t line_ = 0, column_ = 0;
};
static_assert(sizeof(source_location) == sizeof(void*) + 8);

}  // namespace types

using types::source_location;

}  // namespace dolmen
