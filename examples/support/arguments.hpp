// For the examples: one optional size on the command line.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dolmen/core/types.hpp>

namespace example {

/// `usual`, or `checked` under the check backend, which looks at every access and takes its time over it.
constexpr dolmen::index_t size_for([[maybe_unused]] dolmen::index_t usual, [[maybe_unused]] dolmen::index_t checked) {
#if defined(DOLMEN_CHECK)
  return checked;
#else
  return usual;
#endif
}

/// The size given as the only argument, or `otherwise`. For anything but a whole number from 1 to `most`, says so and ends
/// the program with status 2. `what` is what the number counts, as in "elements".
inline dolmen::index_t size_argument(int argc, char** argv, char const* what, dolmen::index_t otherwise, dolmen::index_t most) {
  if (argc == 1) return otherwise;
  char const* const given = argv[1];
  char const* const end = given + std::strlen(given);
  bool const help = !std::strcmp(given, "--help") || !std::strcmp(given, "-h");
  dolmen::index_t size = 0;
  auto const [stop, failure] = std::from_chars(given, end, size);
  if (argc == 2 && !help && failure == std::errc() && stop == end && size >= 1 && size <= most) return size;
  if (argc > 2)
    std::fprintf(stderr, "%s takes one argument, the number of %s; there were %d.\n", argv[0], what, argc - 1);
  else if (!help)
    std::fprintf(stderr, "'%s' is not a number of %s.\n", given, what);
  std::fprintf(help ? stdout : stderr, "Usage: %s [%s], a whole number from 1 to %lld. Without it: %lld.\n", argv[0], what,
               static_cast<long long>(most), static_cast<long long>(otherwise));
  std::exit(help ? 0 : 2);
}

}  // namespace example
