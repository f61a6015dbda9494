#include "mappings.hpp"

#include <charconv>
#include <fstream>
#include <string>

namespace dolmen::check::impl {

// Lines are "begin-end rwxp offset device inode path", in hexadecimal digits, from low addresses to high ones.
std::optional<mapping> mapping_of(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  std::uintptr_t last_file_end = 0;  // variables that begin as zeros lie behind the file's part, and have no path
  for (std::string line; std::getline(maps, line);) {
    mapping m{};
    char const* const end = line.data() + line.size();
    auto const first = std::from_chars(line.data(), end, m.begin, 16);
    if (first.ptr == end || *first.ptr != '-') continue;
    auto const second = std::from_chars(first.ptr + 1, end, m.end, 16);
    if (end - second.ptr < 5) continue;
    m.readable = second.ptr[1] == 'r';
    m.writable = second.ptr[2] == 'w';
    m.executable = second.ptr[3] == 'x';
    bool const path = line.find('/') != std::string::npos, named = line.back() == ']';
    m.of_file = path || (m.begin == last_file_end && !named);
    if (path) last_file_end = m.end;
    if (address < m.begin) return std::nullopt;
    if (address < m.end) return m;
  }
  return std::nullopt;
}

}  // namespace dolmen::check::impl
