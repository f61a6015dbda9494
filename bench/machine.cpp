#include "machine.hpp"

#include <sys/utsname.h>

#include <charconv>
#include <chrono>
#include <ctime>
#include <dolmen/dolmen.hpp>
#include <fstream>
#include <locale>
#include <set>
#include <thread>

#include "affinity.hpp"
#include "peers/openblas.hpp"

extern char** environ;

namespace study {
namespace {

std::optional<std::string> first_line(char const* file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line.empty()) return std::nullopt;
  return line;
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

std::string now_utc() {
  std::time_t const now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

facts environment() {
  facts found;
  for (char** e = environ; *e; ++e) {
    std::string const entry = *e;
    for (char const* prefix : {"OMP_", "GOMP_", "KMP_", "OPENBLAS_", "CUDA_VISIBLE_DEVICES", "DOLMEN_SYNC"})
      if (entry.rfind(prefix, 0) == 0) found.emplace_back(entry.substr(0, entry.find('=')), entry.substr(entry.find('=') + 1));
  }
  return found;
}

struct cpu_ticks {
  double busy = 0, all = 0;
};

// The first line of /proc/stat: user nice system idle iowait irq softirq steal.
std::optional<cpu_ticks> ticks() {
  std::ifstream in("/proc/stat");
  in.imbue(std::locale::classic());
  std::string name;
  cpu_ticks t;
  if (!(in >> name) || name != "cpu") return std::nullopt;
  double value;
  for (int field = 0; field < 8 && in >> value; ++field) {
    t.all += value;
    if (field != 3 && field != 4) t.busy += value;
  }
  return t;
}

std::optional<double> busy_cores(int present) {
  auto const before = ticks();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  auto const after = ticks();
  if (!before || !after || after->all <= before->all) return std::nullopt;
  return (after->busy - before->busy) / (after->all - before->all) * present;
}

int sockets() {
  std::set<std::string> ids;
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("physical id", 0) == 0) ids.insert(line);
  return ids.empty() ? 1 : int(ids.size());
}

}  // namespace

machine describe_machine() {
  machine m;
  m.library_version = DOLMEN_VERSION_STRING;
  m.compiler = compiler();
#if defined(STUDY_FLAGS)
  m.flags = STUDY_FLAGS;
  m.build_type = STUDY_BUILD_TYPE;
#endif
  m.time_utc = now_utc();
  if (utsname u{}; uname(&u) == 0) m.system = std::string(u.sysname) + ' ' + u.release + ' ' + u.machine;
#if DOLMEN_HAS_CPU
  auto const p = dolmen::cpu::device().properties();
  m.cpu_name = p.name;
  m.cores_used = dolmen::cpu::workers();
  m.cores_present = p.processors_present.value_or(p.processors);
  if (p.clock_hz) m.cpu_mhz = *p.clock_hz / 1e6;
#endif
  m.sockets = sockets();
  m.busy_cores = busy_cores(m.cores_present);
  auto const cores = allowed_cores();
  m.cores_allowed = int(cores.size());
  m.affinity = ranges_text(cores);
  m.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (auto const khz = first_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
    if (double value = 0; std::from_chars(khz->data(), khz->data() + khz->size(), value).ec == std::errc()) m.cpu_max_mhz = value / 1e3;
  m.environment = environment();
#if STUDY_HAS_OPENBLAS
  auto const blas = peers::describe_openblas();
  m.openblas = {{"core", blas.core},
                {"version", blas.version},
                {"threads", std::to_string(blas.threads)},
                {"OPENBLAS_CORETYPE", blas.coretype.empty() ? std::nullopt : std::optional(blas.coretype)}};
#endif
  m.gpu = describe_gpu();
  return m;
}

#if !DOLMEN_HAS_CUDA
facts describe_gpu() { return {}; }
#endif

}  // namespace study
