// What a device is: the same questions for a GPU and for the CPU's cores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config.hpp"
#include "types.hpp"

namespace dolmen {

namespace types {

/// Facts of one device. What a kind of device does not have, or does not tell, is empty.
struct device_properties {
  std::string name, backend, architecture;  // "NVIDIA H200", "cuda", "Hopper"
  std::string novelties;                    // what this generation brought
  std::optional<std::string> compute_capability;

  index_t memory_bytes = 0;
  std::optional<index_t> l1_bytes, l2_bytes, l3_bytes;
  int processors = 0;                                                // SMs, or cores that this process may use
  std::optional<int> processors_present;                             // cores of the machine
  std::optional<int> schedulers_per_processor, lanes_per_processor;  // warp schedulers and fp32 lanes of an SM
  int warp_size = 32;
  int vector_bits = 0;  // the widest vector instruction of a core; 0 for a GPU

  std::optional<index_t> shared_per_block, shared_per_block_optin, shared_per_processor, constant_bytes;
  std::optional<int> registers_per_block, registers_per_processor;
  int max_threads_per_block = 1024;
  std::optional<int> max_threads_per_processor, max_blocks_per_processor;
  index_t max_block[3] = {1024, 1024, 64};
  index_t max_grid[3] = {};
  std::optional<index_t> max_pitch_bytes;
  std::optional<int> texture_alignment, copy_engines;

  std::optional<double> clock_hz, memory_clock_hz;
  std::optional<int> memory_bus_bits;
  std::optional<double> bandwidth_bytes_per_s;  // from clock and width: what the data sheet would say
};

}  // namespace types

using types::device_properties;

namespace detail {

/// Rows of (what, value) for people; used by `dolmen-study devices`.
DOLMEN_API std::vector<std::pair<std::string, std::string>> describe(device_properties const& properties);

/// The generation of a compute capability, and what it brought: 6.x Pascal to 12.x Blackwell.
struct gpu_generation {
  int major, minor;  // first compute capability that belongs to it
  char const* name;
  char const* novelties;
  int lanes_per_processor, schedulers_per_processor;
};
DOLMEN_API gpu_generation const& generation_of(int major, int minor) noexcept;

}  // namespace detail
}  // namespace dolmen
