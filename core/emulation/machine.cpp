#include "machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <charconv>
#include <fstream>

namespace dolmen::emulation {
namespace {

// The value of the first line "key : value" of a /proc file.
std::string proc_value(char const* file, std::string const& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    auto const colon = line.find(':');
    if (colon == std::string::npos) continue;
    auto const start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

std::optional<index_t> cache_bytes(int name) {
  long const bytes = sysconf(name);
  return bytes > 0 ? std::optional<index_t>(bytes) : std::nullopt;
}

int usable_cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : int(sysconf(_SC_NPROCESSORS_ONLN));
}

int vector_bits() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") ? 512 : __builtin_cpu_supports("avx2") ? 256 : 128;
#else
  return 128;
#endif
}

}  // namespace

device_properties machine_properties(char const* backend) {
  device_properties p;
  p.backend = backend;
  p.name = proc_value("/proc/cpuinfo", "model name");
  if (p.name.empty()) p.name = "CPU";
#if defined(__x86_64__)
  p.architecture = "x86-64";
#elif defined(__aarch64__)
  p.architecture = "arm64";
#endif
  p.memory_bytes = index_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  p.processors = usable_cores();
  p.processors_present = int(sysconf(_SC_NPROCESSORS_ONLN));
  p.vector_bits = vector_bits();
  p.l1_bytes = cache_bytes(_SC_LEVEL1_DCACHE_SIZE);
  p.l2_bytes = cache_bytes(_SC_LEVEL2_CACHE_SIZE);
  p.l3_bytes = cache_bytes(_SC_LEVEL3_CACHE_SIZE);
  for (auto& extent : p.max_grid) extent = 0x7fffffff;
  auto const text = proc_value("/proc/cpuinfo", "cpu MHz");
  if (double megahertz = 0; std::from_chars(text.data(), text.data() + text.size(), megahertz).ec == std::errc())
    p.clock_hz = megahertz * 1e6;
  return p;
}

}  // namespace dolmen::emulation
