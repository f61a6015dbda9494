// The caller's file and line. std::source_location where the compiler has it (clang 14 with libstdc++ does not).
#pragma once

#include <cstdint>
#include <version>

#if defined(__cpp_lib_source_location)
#include <source_location>
#endif

namespace dolmen {

#if defined(__cpp_lib_source_location)
using source_location = std::source_location;
#else
class source_location {
 public:
  static constexpr source_location current(char const* file = __builtin_FILE(), std::uint_least32_t line = __builtin_LINE(),
                                           std::uint_least32_t column = __builtin_COLUMN(),
                                           char const* function = __builtin_FUNCTION()) noexcept {
    source_location here;
    here.file_ = file;
    here.line_ = line;
    here.column_ = column;
    here.function_ = function;
    return here;
  }
  constexpr char const* file_name() const noexcept { return file_; }
  constexpr char const* function_name() const noexcept { return function_; }
  constexpr std::uint_least32_t line() const noexcept { return line_; }
  constexpr std::uint_least32_t column() const noexcept { return column_; }

 private:
  char const* file_ = "";
  char const* function_ = "";
  std::uint_least32_t line_ = 0, column_ = 0;
};
#endif

}  // namespace dolmen
