// What CUDA and nvidia-smi say of the GPU. Only in builds with the CUDA backend.
#include <cuda_runtime_api.h>

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>

#include "machine.hpp"

namespace study {
namespace {

std::string version_text(int v) { return std::to_string(v / 1000) + '.' + std::to_string(v % 1000 / 10); }

struct close_pipe {
  void operator()(std::FILE* f) const { pclose(f); }
};

// One line of fields of the first GPU that nvidia-smi lists; empty without the program.
std::string ask_smi(std::string const& fields) {
  std::unique_ptr<std::FILE, close_pipe> pipe(
      popen(("nvidia-smi -i 0 --format=csv,noheader --query-gpu=" + fields + " 2>/dev/null").c_str(), "r"));
  std::array<char, 512> line{};
  if (!pipe || !std::fgets(line.data(), int(line.size()), pipe.get())) return "";
  return line.data();
}

std::string trimmed(std::string s) {
  s.erase(0, s.find_first_not_of(" \n"));
  s.erase(s.find_last_not_of(" \n") + 1);
  return s;
}

}  // namespace

facts describe_gpu() {
  facts found;
  int version = 0;
  found.emplace_back("cuda_toolkit", version_text(CUDART_VERSION));
  found.emplace_back("cuda_runtime", cudaRuntimeGetVersion(&version) == cudaSuccess ? std::optional(version_text(version)) : std::nullopt);
  found.emplace_back("cuda_driver",
                     cudaDriverGetVersion(&version) == cudaSuccess && version > 0 ? std::optional(version_text(version)) : std::nullopt);
  char const* const fields[] = {"name",           "driver_version", "clocks.sm",       "clocks.max.sm",   "clocks.mem",
                                "clocks.max.mem", "power.limit",    "temperature.gpu", "mig.mode.current"};
  std::string query;
  for (auto const* f : fields) {
    if (!query.empty()) query += ',';
    query += f;
  }
  std::istringstream answer(ask_smi(query));
  for (auto const* f : fields) {
    std::string value;
    std::getline(answer, value, ',');
    value = trimmed(value);
    found.emplace_back(f, value.empty() || value.front() == '[' ? std::nullopt : std::optional(value));
  }
  return found;
}

}  // namespace study
