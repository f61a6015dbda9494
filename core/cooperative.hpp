// Cooperative launches: all blocks of the grid run at the same time and may wait for each other.
#pragma once

#include "facts.hpp"

namespace dolmen {

namespace detail {

/// Throws launch_error: the device cannot hold this many blocks of the kernel at once, and why.
[[noreturn]] DOLMEN_API void too_many_blocks(char const* kernel, grid asked, int threads, kernel_properties const& facts,
                                             device_properties const& device, source_location where);

/// As kernel_facts, of the kernel as launch_cooperative runs it.
template <class Kernel, class Stream>
[[gnu::always_inline]] inline kernel_properties cooperative_facts(char const* call, Stream const& stream, source_location where) {
  check_kernel<Kernel>();
  auto const facts = cooperative_properties_of(stream, std::type_identity<Kernel>(), where);
  if (facts.resident_blocks == 0) [[unlikely]]
    no_block_fits(call, typeid(Kernel).name(), Kernel::shape::size, facts, stream.get_device().properties(), where);
  return facts;
}

}  // namespace detail

/// The most blocks that launch_cooperative takes for this kernel, at least 1. A GPU: what all its multiprocessors hold at the
/// same time. The CPU: the threads that OpenMP gives to the calling thread, 1 inside a parallel region. Asks the driver and
/// waits for nothing. Throws launch_error where not even one block fits.
template <class Kernel, stream_type Stream>
[[gnu::always_inline]] inline index_t max_cooperative_blocks(Stream const& stream, source_location where = source_location::current()) {
  detail::require_stream(stream, "max_cooperative_blocks", where);
  return detail::cooperative_facts<Kernel>("max_cooperative_blocks", stream, where).device_blocks();
}

/// As launch, with all blocks of the grid running at the same time, so that they may call block.grid_sync(): the barrier of
/// the whole grid. All blocks call it equally often, at block scope; what any thread of the grid wrote before it, all threads
/// may read after it. In a kernel that launch runs it is an error: launch_error on the CPU, on a GPU a printed text and the
/// loss of the device.
///
/// Throws launch_error for a grid of more than max_cooperative_blocks, saying what was asked and what the device holds and
/// why; nothing ran then, and the next call works. When a block throws on the CPU, or ends while others wait, those that wait
/// are released by an exception, and the first one is rethrown here. On a GPU a block that does not come makes the others wait
/// for ever.
///
/// May be captured into a graph. On the CPU every block has an OpenMP thread of its own.
template <stream_type Stream, class Kernel>
[[gnu::always_inline]] inline void launch_cooperative(Stream const& stream, grid blocks, Kernel const& kernel,
                                                      source_location where = source_location::current()) {
  detail::require_stream(stream, "launch_cooperative", where);
  if (!detail::any_blocks("launch_cooperative", blocks, where)) return;
  auto const facts = detail::cooperative_facts<Kernel>("launch_cooperative", stream, where);
  if (blocks.blocks() > facts.device_blocks()) [[unlikely]]
    detail::too_many_blocks(typeid(Kernel).name(), blocks, Kernel::shape::size, facts, stream.get_device().properties(), where);
  launch_cooperative_kernel(stream, blocks, kernel, where);
}

}  // namespace dolmen
