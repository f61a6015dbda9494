// Text for people. Formatting goes through one function, so that a single file compiles the library behind it.
#pragma once

#include <fmt/core.h>

#include <string>

namespace study {

std::string formatted_from(fmt::string_view pattern, fmt::format_args arguments);

/// As fmt::format, which checks the pattern at compile time.
template <class... Args>
std::string formatted(fmt::format_string<Args...> pattern, Args&&... arguments) {
  return formatted_from(pattern, fmt::make_format_args(arguments...));
}

/// "1.234 ms", four digits.
std::string time_text(double seconds);
/// A time that people wait: "40 s", "3 min".
std::string duration_text(double seconds);
/// Breaks a text at spaces into lines of at most `width` columns, each behind `indent` spaces.
std::string wrapped(std::string const& text, int width, int indent);

}  // namespace study
