#include "device.hpp"

#include "../../core/host_memory.hpp"
#include "../../core/pool/memory_pool.hpp"
#include "memory.hpp"
#include "runtime.hpp"

namespace dolmen::cuda {

using dolmen::detail::generation_of;
using dolmen::detail::text;
using dolmen::detail::with_host_memory;
using impl::check;

namespace {

// Devices, or why there are none.
struct census {
  int count = 0;
  std::string reason;
};

census take_census() noexcept {
  census c;
  try {
    if (impl::forked()) {
      c.reason = impl::fork_text;
      return c;
    }
    impl::begins_to_use_cuda();
    cudaError_t const status = cudaGetDeviceCount(&c.count);
    if (status != cudaSuccess) {
      cudaGetLastError();
      c.count = 0;
      int driver = 0, runtime = 0;
      cudaDriverGetVersion(&driver);
      cudaRuntimeGetVersion(&runtime);
      c.reason = driver ? text(cudaGetErrorString(status), "; the driver serves CUDA ", driver / 1000, '.', driver % 1000 / 10,
                               ", the program was built with CUDA ", runtime / 1000, '.', runtime % 1000 / 10)
                        : std::string("the NVIDIA driver is not installed");
    } else if (c.count == 0) {
      c.reason = "the driver reports no GPU";
    }
  } catch (...) {
    c.count = 0;
  }
  return c;
}

int attribute(cudaDeviceAttr what, int device, source_location where) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, what, device), "cudaDeviceGetAttribute", where);
  return value;
}

device_properties properties_of(cudaDeviceProp const& d) {
  auto const& generation = generation_of(d.major, d.minor);
  device_properties p;
  p.backend = "cuda";
  p.name = d.name;
  p.architecture = generation.name;
  p.novelties = generation.novelties;
  p.compute_capability = text(d.major, '.', d.minor);
  p.memory_bytes = index_t(d.totalGlobalMem);
  p.l2_bytes = d.l2CacheSize;
  p.processors = d.multiProcessorCount;
  p.schedulers_per_processor = generation.schedulers_per_processor;
  p.lanes_per_processor = generation.lanes_per_processor;
  p.warp_size = d.warpSize;
  p.shared_per_block = index_t(d.sharedMemPerBlock);
  p.shared_per_block_optin = index_t(d.sharedMemPerBlockOptin);
  p.shared_per_processor = index_t(d.sharedMemPerMultiprocessor);
  p.constant_bytes = index_t(d.totalConstMem);
  p.registers_per_block = d.regsPerBlock;
  p.registers_per_processor = d.regsPerMultiprocessor;
  p.max_threads_per_block = d.maxThreadsPerBlock;
  p.max_threads_per_processor = d.maxThreadsPerMultiProcessor;
  p.max_blocks_per_processor = d.maxBlocksPerMultiProcessor;
  for (int i = 0; i < 3; ++i) {
    p.max_block[i] = d.maxThreadsDim[i];
    p.max_grid[i] = d.maxGridSize[i];
  }
  p.max_pitch_bytes = index_t(d.memPitch);
  p.texture_alignment = int(d.textureAlignment);
  p.copy_engines = d.asyncEngineCount;
  return p;
}

}  // namespace

device::device(int index, source_location where) : index_(index) {
  auto const c = take_census();
  if (c.count == 0) throw backend_unavailable(text("cuda: no GPU can be used here: ", c.reason), where);
  dolmen::detail::require(index >= 0 && index < c.count, where, "cuda: device ", index, " does not exist, there are ", c.count);
}

int device::count() noexcept { return take_census().count; }

void device::synchronize(source_location where) const {
  impl::device_guard guard(index_, where);
  check(cudaDeviceSynchronize(), "synchronize", where);
}

device_properties device::properties(source_location where) const {
  cudaDeviceProp d{};
  check(cudaGetDeviceProperties(&d, index_), "cudaGetDeviceProperties", where);
  auto p = with_host_memory("properties", where, [&] { return properties_of(d); });
  p.clock_hz = 1e3 * attribute(cudaDevAttrClockRate, index_, where);
  p.memory_clock_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate, index_, where);
  p.memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, index_, where);
  p.bandwidth_bytes_per_s = 2 * *p.memory_clock_hz * *p.memory_bus_bits / 8;  // two transfers per clock
  return p;
}

pool_statistics device::pool(source_location where) const {
  return with_host_memory("pool", where, [&] { return impl::pool(index_).statistics(); });
}
void device::reset_pool_peak(source_location where) const {
  with_host_memory("reset_pool_peak", where, [&] { impl::pool(index_).reset_peak(); });
}
void device::trim_pool(source_location where) const {
  with_host_memory("trim_pool", where, [&] { impl::pool(index_).trim(); });
}

}  // namespace dolmen::cuda
