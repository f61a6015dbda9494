#include "options.hpp"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace dolmen::check {
namespace {

template <class T>
T number(std::string const& name, std::string const& text) {
  T value{};
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < T(0))
    throw invalid_argument("DOLMEN_CHECK: " + name + " wants a number, not '" + text + "'");
  return value;
}

std::uint32_t kind_bits(std::string const& text) {
  std::uint32_t bits = 0;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, '+');) {
    int k = 0;
    while (k < kinds && part != name_of(kind(k))) ++k;
    if (k == kinds) {
      std::string all;
      for (int i = 0; i < kinds; ++i) all += std::string(i ? ", " : "") + name_of(kind(i));
      throw invalid_argument("DOLMEN_CHECK: there is no kind '" + part + "'; there are " + all);
    }
    bits |= std::uint32_t(1) << k;
  }
  return bits;
}

// The file's full name, as the program may change its folder. What cannot be written is said before the program's work is done.
std::string writable(std::string const& name) {
  std::string const path = std::filesystem::absolute(name).string();
  errno = 0;
  if (!std::ofstream(path, std::ios::app))
    throw invalid_argument("DOLMEN_CHECK: cannot write json=" + name + ": " + std::generic_category().message(errno));
  return path;
}

options read() {
  options o;
  std::uint32_t without = 0;
  char const* set = std::getenv("DOLMEN_CHECK");
  std::istringstream parts(set ? set : "");
  for (std::string part; std::getline(parts, part, ',');) {
    auto const equals = part.find('=');
    std::string const name = part.substr(0, equals), value = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (name == "abort" && equals != std::string::npos) throw invalid_argument("DOLMEN_CHECK: abort takes no value");
    if ((name == "kinds" || name == "without" || name == "json") && value.empty())
      throw invalid_argument("DOLMEN_CHECK: " + name + (name == "json" ? " wants a file" : " wants names of kinds, with + between them"));
    if (name == "seed")
      o.seed = number<std::uint64_t>(name, value);
    else if (name == "threads")
      o.threads = number<int>(name, value);
    else if (name == "kinds")
      o.kinds = kind_bits(value);
    else if (name == "without")
      without |= kind_bits(value);
    else if (name == "abort")
      o.abort = true;
    else if (name == "limit")
      o.limit = number<index_t>(name, value);
    else if (name == "json")
      o.json = writable(value);
    else if (!name.empty())
      throw invalid_argument("DOLMEN_CHECK: '" + name +
                             "' is none of seed=N, threads=N, kinds=A+B, without=A+B, abort, limit=N, json=FILE");
  }
  o.kinds &= ~without;
  return o;
}

}  // namespace

options const& current_options() {
  static options const& only = *new options(read());  // needed until the very end
  return only;
}

}  // namespace dolmen::check
