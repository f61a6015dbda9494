#define FMT_HEADER_ONLY 1  // here alone: what other files format, they format through this one
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace study {

std::string formatted_from(fmt::string_view pattern, fmt::format_args arguments) { return fmt::vformat(pattern, arguments); }

std::string time_text(double s) {
  if (s < 1e-6) return formatted("{:.4g} ns", s * 1e9);
  if (s < 1e-3) return formatted("{:.4g} us", s * 1e6);
  if (s < 1) return formatted("{:.4g} ms", s * 1e3);
  return formatted("{:.4g} s", s);
}

std::string duration_text(double s) {
  if (s < 10) return formatted("{:.0f} s", std::max(1.0, std::ceil(s)));
  if (s < 91) return formatted("{:.0f} s", 5 * std::round(s / 5));
  if (s < 91 * 60) return formatted("{:.0f} min", std::round(s / 60));
  return formatted("{:.1f} h", s / 3600);
}

std::string wrapped(std::string const& text, int width, int indent) {
  std::string const margin(std::size_t(indent), ' ');
  auto const room = std::size_t(std::max(1, width - indent));
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.size(), begin + room);
    if (auto const line_end = text.find('\n', begin); line_end < end) {
      end = line_end;
    } else if (end < text.size()) {
      auto const space = text.rfind(' ', end);
      if (space != std::string::npos && space > begin) end = space;
    }
    out += margin + text.substr(begin, end - begin) + '\n';
    begin = end + (end < text.size() && (text[end] == ' ' || text[end] == '\n'));
  }
  return out;
}

}  // namespace study
