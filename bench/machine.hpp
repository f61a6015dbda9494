// Facts of the machine and of the build that a number cannot be judged without.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace study {

/// Name and value in order of appearance; a value that the machine does not tell is empty.
using facts = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct machine {
  std::string library_version, compiler, flags, build_type, backends, system, time_utc;
  std::string cpu_name, affinity;  // affinity as in "0-3,8"
  int cores_used = 0, cores_allowed = 0, cores_present = 0, sockets = 1;
  std::optional<std::string> governor;
  std::optional<double> cpu_mhz, cpu_max_mhz;
  /// Cores that others kept busy while this process waited, before the run: more than a little spoils what is measured.
  std::optional<double> busy_cores;
  facts environment;  // OMP_*, GOMP_*, KMP_*, OPENBLAS_*: those that are set
  facts openblas;
  facts gpu;  // versions and clocks; empty without CUDA
};

machine describe_machine();

/// Driver, runtime and toolkit, and what nvidia-smi says of the first GPU now. Empty where the build has no CUDA.
facts describe_gpu();

}  // namespace study
