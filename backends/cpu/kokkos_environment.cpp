#include "kokkos_environment.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <strings.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "../../core/host_memory.hpp"
#include "teams.hpp"

namespace dolmen::cpu::impl {
namespace {

constexpr int capacity = 512;  // of Kokkos' table of threads, whose end it does not look at

std::optional<int> number(std::string_view text) {
  int value = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool is_count(char const* text) { return number(text).value_or(-1) >= 0; }

bool is_switch(char const* text) {
  for (char const* known : {"true", "on", "yes", "false", "off", "no"})
    if (strcasecmp(text, known) == 0) return true;
  return text[0] >= '0' && text[0] <= '9' && !text[1];
}

bool is_mapping(char const* text) { return std::string_view(text) == "random" || std::string_view(text) == "mpi_rank"; }

// A tool that is not there is an error text of Kokkos, or the end of the program. Kokkos takes the first of a list.
bool is_library(char const* text) {
  auto const first = dolmen::detail::with_host_memory("Kokkos' environment", source_location(),
                                                      [&] { return std::string(text, std::strcspn(text, ";")); });
  return first.empty() || dlopen(first.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;  // open for Kokkos
}

struct variable {
  char const* name;
  bool (*takes)(char const* text);
};
// Of all releases from 3.4 on.
constexpr variable variables[] = {{"KOKKOS_DEVICE_ID", is_count},          {"KOKKOS_DISABLE_WARNINGS", is_switch},
                                  {"KOKKOS_MAP_DEVICE_ID_BY", is_mapping}, {"KOKKOS_NUMA", is_count},
                                  {"KOKKOS_NUM_DEVICES", is_count},        {"KOKKOS_PRINT_CONFIGURATION", is_switch},
                                  {"KOKKOS_PROFILE_LIBRARY", is_library},  {"KOKKOS_RAND_DEVICES", is_count},
                                  {"KOKKOS_SKIP_DEVICE", is_count},        {"KOKKOS_TOOLS_LIBS", is_library},
                                  {"KOKKOS_TUNE_INTERNALS", is_switch}};

}  // namespace

int threads_for_kokkos() {
  for (auto const& [name, takes] : variables)
    if (char const* value = std::getenv(name); value && !takes(value)) return 0;
  if (omp_get_max_threads() > capacity) return 0;  // so many are started in any case
  char const* const asked = std::getenv("KOKKOS_NUM_THREADS");
  int const threads = asked ? number(asked).value_or(0) : team_limit();
  return threads >= 1 && threads <= capacity ? threads : 0;
}

}  // namespace dolmen::cpu::impl
