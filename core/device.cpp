#include "device.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include "error.hpp"

namespace dolmen::detail {
namespace {

// NVIDIA's CUDA C++ Programming Guide, "Compute Capabilities", and the architecture white papers.
constexpr gpu_generation generations[] = {
    {6, 0, "Pascal", "NVLink, HBM2, unified memory with page faults, fp16 at twice fp32", 64, 2},
    {6, 1, "Pascal", "GDDR5X, int8 dot products (dp4a)", 128, 4},
    {7, 0, "Volta", "tensor cores (fp16), independent thread scheduling, shared memory and L1 in one", 64, 4},
    {7, 5, "Turing", "tensor cores with int8 and int4, ray tracing cores", 64, 4},
    {8, 0, "Ampere", "tf32, bf16 and fp64 tensor cores, asynchronous copy to shared memory, L2 residency control", 64, 4},
    {8, 6, "Ampere", "two fp32 paths per scheduler", 128, 4},
    {8, 9, "Ada Lovelace", "fp8 tensor cores, a far larger L2", 128, 4},
    {9, 0, "Hopper", "tensor memory accelerator (TMA), warpgroup products, thread block clusters, fp8, HBM3", 128, 4},
    {10, 0, "Blackwell", "fp4 and fp6 tensor cores, tensor memory, two dies as one GPU", 128, 4},
    {12, 0, "Blackwell", "fp4 tensor cores, GDDR7", 128, 4},
};

std::string quantity(double value, double step, char const* const* units, int last) {
  int unit = 0;
  while (value >= step && unit < last) value /= step, ++unit;
  char digits[32];
  auto const [end, failure] = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 4);
  return text(std::string_view(digits, std::size_t(end - digits)), ' ', units[unit]);
}

std::string bytes(index_t n) {
  char const* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  return quantity(double(n), 1024, units, 4);
}

std::string hertz(double f) {
  char const* const units[] = {"Hz", "kHz", "MHz", "GHz"};
  return quantity(f, 1000, units, 3);
}

class rows {
 public:
  void add(char const* what, std::string value) { list_.emplace_back(what, std::move(value)); }
  template <class T, class Format>
  void add(char const* what, std::optional<T> const& value, Format format) {
    if (value) add(what, format(*value));
  }
  template <class T>
  void add(char const* what, std::optional<T> const& value) {
    add(what, value, [](T const& v) { return text(v); });
  }
  std::vector<std::pair<std::string, std::string>> take() { return std::move(list_); }

 private:
  std::vector<std::pair<std::string, std::string>> list_;
};

}  // namespace

gpu_generation const& generation_of(int major, int minor) noexcept {
  gpu_generation const* found = &generations[0];
  for (auto const& g : generations)
    if (g.major < major || (g.major == major && g.minor <= minor)) found = &g;
  return *found;
}

std::vector<std::pair<std::string, std::string>> describe(device_properties const& p) {
  rows r;
  r.add("name", p.name);
  r.add("backend", p.backend);
  r.add("architecture", p.architecture);
  if (!p.novelties.empty()) r.add("brought", p.novelties);
  r.add("compute capability", p.compute_capability);
  r.add("memory", bytes(p.memory_bytes));
  r.add(p.vector_bits ? "cores" : "streaming multiprocessors", text(p.processors));
  r.add("cores present", p.processors_present);
  r.add("warp schedulers per SM", p.schedulers_per_processor);
  r.add("fp32 lanes per SM", p.lanes_per_processor);
  r.add("warp size", text(p.warp_size));
  if (p.vector_bits) r.add("vector width", text(p.vector_bits, " bits"));
  r.add("L1 cache", p.l1_bytes, bytes);
  r.add("L2 cache", p.l2_bytes, bytes);
  r.add("L3 cache", p.l3_bytes, bytes);
  r.add("shared memory per block", p.shared_per_block, bytes);
  r.add("shared memory per block, opt-in", p.shared_per_block_optin, bytes);
  r.add("shared memory per SM", p.shared_per_processor, bytes);
  r.add("constant memory", p.constant_bytes, bytes);
  r.add("registers per block", p.registers_per_block);
  r.add("registers per SM", p.registers_per_processor);
  r.add("threads per block, at most", text(p.max_threads_per_block));
  r.add("threads per SM, at most", p.max_threads_per_processor);
  r.add("blocks per SM, at most", p.max_blocks_per_processor);
  r.add("block size, at most", text(p.max_block[0], " x ", p.max_block[1], " x ", p.max_block[2]));
  r.add("grid size, at most", text(p.max_grid[0], " x ", p.max_grid[1], " x ", p.max_grid[2]));
  r.add("memory pitch, at most", p.max_pitch_bytes, bytes);
  r.add("texture alignment", p.texture_alignment, [](int b) { return bytes(b); });
  r.add("copy engines", p.copy_engines);
  r.add("clock", p.clock_hz, hertz);
  r.add("memory clock", p.memory_clock_hz, hertz);
  r.add("memory bus", p.memory_bus_bits, [](int bits) { return text(bits, " bits"); });
  r.add("memory bandwidth, nominal", p.bandwidth_bytes_per_s, [](double b) { return text(std::llround(b / 1e9), " GB/s"); });
  return r.take();
}

}  // namespace dolmen::detail
