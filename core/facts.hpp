// What the compiler made of a kernel, and how much of it a device holds at once.
#pragma once

#include <iosfwd>
#include <typeinfo>

#include "launch.hpp"

namespace dolmen {

namespace types {

/// Facts of a compiled kernel on one device. Memory is in bytes.
struct kernel_properties {
  int registers = 0;                 // per thread; 0 on the CPU
  index_t local_bytes = 0;           // per thread: spilled registers, and arrays that could not be registers; 0 on the CPU
  index_t static_shared_bytes = 0;   // per block
  index_t dynamic_shared_bytes = 0;  // per block: all of `struct shared` where it is above 44 KB
  int max_threads_per_block = 1024;  // what registers allow; never below the kernel's own block
  int resident_blocks = 1;           // per multiprocessor, at the same time; 0: not even one fits
  int multiprocessors = 1;           // of the device; on the CPU the workers

  index_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
  /// Blocks that the device holds at the same time.
  index_t device_blocks() const { return index_t(resident_blocks) * multiprocessors; }
};

/// "32 registers, 0 B spilled, 9.0 KiB shared, 8 blocks per multiprocessor"; "9.0 KiB shared, 1 block per worker" on the CPU. Without
/// the grouping of the stream's locale.
DOLMEN_API std::ostream& operator<<(std::ostream& out, kernel_properties const& p);

}  // namespace types

using types::kernel_properties;

namespace detail {

/// Throws launch_error: not one block of the kernel fits on a multiprocessor of the device.
[[noreturn]] DOLMEN_API void no_block_fits(char const* call, char const* kernel, int threads, kernel_properties const& facts,
                                           device_properties const& device, source_location where);

}  // namespace detail

/// Registers, shared and spilled memory of a kernel, and how many of its blocks a multiprocessor holds at once. Asks the
/// driver and waits for nothing: some microseconds. Throws launch_error where the program has no code for the device.
///
/// Always inlined, as launch is.
template <class Kernel, stream_type Stream>
[[gnu::always_inline]] inline kernel_properties kernel_facts(Stream const& stream, source_location where = source_location::current()) {
  detail::require_stream(stream, "kernel_facts", where);
  detail::check_kernel<Kernel>();
  return properties_of(stream, std::type_identity<Kernel>(), where);
}

/// The blocks of a persistent launch: as many as the device holds at the same time (the workers, on the CPU). The kernel
/// strides over its work by block.grid; fewer blocks are as right, more would wait for the first ones. Errors as for
/// kernel_facts, and launch_error where not even one block fits.
template <class Kernel, stream_type Stream>
[[gnu::always_inline]] inline index_t persistent_blocks(Stream const& stream, source_location where = source_location::current()) {
  detail::require_stream(stream, "persistent_blocks", where);
  auto const facts = kernel_facts<Kernel>(stream, where);
  if (facts.resident_blocks == 0) [[unlikely]]
    detail::no_block_fits("persistent_blocks", typeid(Kernel).name(), Kernel::shape::size, facts, stream.get_device().properties(), where);
  return facts.device_blocks();
}

}  // namespace dolmen
