// Launching on the CPU: blocks are shared out over the cores in contiguous ranges.
#pragma once

#include "../../core/cooperative.hpp"
#include "../../core/print.hpp"
#include "block.hpp"
#include "engine.hpp"
#include "stream.hpp"

namespace dolmen::cpu {

namespace {
// Differs from source file to source file: see cpu::block.
struct this_file {};
}  // namespace

namespace impl {

using namespace dolmen::detail;

template <class File, class Kernel>
[[gnu::flatten]] inline void run_blocks(index_t begin, index_t end, block_index grid, Kernel const& kernel, scratch& memory,
                                        grid_barrier* all = nullptr) {
  Kernel const local = kernel;  // a private copy: its members stay in registers
  running_block running;
  memory.reset();
  block_index place = split(begin, grid);  // counted on from here: a division per block would cost more than small blocks
  for (index_t b = begin; b < end; ++b, next(place, grid)) {
    auto& shared = *static_cast<shared_t<Kernel>*>(memory.take(sizeof(shared_t<Kernel>)));
    block<typename Kernel::shape, File> current(place, grid, memory, all);
    running.here = current.index;
    call_kernel(local, current, shared);
    memory.reset();
  }
}

/// for_each_index over the rows [begin, end) of a space; a space of Rank 2 has one plane.
template <class File, int Rank, class Body>
[[gnu::flatten]] inline void run_rows(index_t begin, index_t end, extents<3> shape, Body const& body) {
  Body const local = body;
  index_t const rows = shape[1], columns = shape[2];
  for (index_t row = begin; row < end; ++row) {
    index_t const z = row / rows, y = row % rows;
    DOLMEN_SIMD for (index_t x = 0; x < columns; ++x) {
      if constexpr (Rank == 3)
        local(z, y, x);
      else
        local(y, x);
    }
  }
}

template <class File, class Body>
[[gnu::flatten]] inline void run_elements(index_t begin, index_t end, Body const& body) {
  Body const local = body;
  DOLMEN_SIMD for (index_t i = begin; i < end; ++i) local(i);
}

// Indices below which a second thread costs more than it saves.
inline constexpr index_t smallest_part = 4096;

}  // namespace impl

template <class Kernel, class File = this_file>
inline void launch_kernel(stream const&, grid blocks, Kernel const& kernel, source_location where) {
  block_index const shape{int(blocks.x), int(blocks.y), int(blocks.z)};
  emulation::with_scratch("launch", where, [&] {
    run_ranges(blocks.blocks(), 1,
               [&](index_t begin, index_t end, scratch& memory) { impl::run_blocks<File>(begin, end, shape, kernel, memory); });
  });
}

template <class Kernel, class File = this_file>
inline void launch_cooperative_kernel(stream const&, grid blocks, Kernel const& kernel, source_location where) {
  block_index const shape{int(blocks.x), int(blocks.y), int(blocks.z)};
  int const n = int(blocks.blocks());
  grid_barrier all(n);
  int const threads = emulation::with_scratch("launch_cooperative", where, [&] {
    return run_at_once(
        n, all, [&](index_t begin, index_t end, scratch& memory) { impl::run_blocks<File>(begin, end, shape, kernel, memory, &all); });
  });
  if (threads != n) [[unlikely]]  // not by `fail` and a list in braces, which nvcc 13.0 does not survive in a template
    dolmen::detail::require<launch_error>(false, where, "launch_cooperative of ", dolmen::detail::type_name(typeid(Kernel).name()),
                                          ": asked for ", n, " threads, one per block, and OpenMP gave ", threads);
}

template <class Kernel, class File = this_file>
inline kernel_properties properties_of(stream const&, std::type_identity<Kernel>, source_location) {
  kernel_properties p;
  p.static_shared_bytes = index_t(dolmen::detail::shared_bytes<Kernel>);
  p.multiprocessors = workers();
  return p;
}

template <class Kernel, class File = this_file>
inline kernel_properties cooperative_properties_of(stream const& s, std::type_identity<Kernel> kernel, source_location where) {
  auto p = properties_of<Kernel, File>(s, kernel, where);
  p.multiprocessors = most_at_once();
  return p;
}

template <int Rank, class Body, class File = this_file>
inline void launch_each(stream const&, extents<Rank> shape, Body const& body, source_location) {
  if constexpr (Rank == 1) {
    run_ranges(shape[0], impl::smallest_part, [&](index_t begin, index_t end, scratch&) { impl::run_elements<File>(begin, end, body); });
  } else {
    extents<3> full{{1, shape[0], shape[Rank - 1]}};
    if constexpr (Rank == 3) full = {{shape[0], shape[1], shape[2]}};
    run_ranges(full[0] * full[1], ceil_div(impl::smallest_part, full[2]),
               [&](index_t begin, index_t end, scratch&) { impl::run_rows<File, Rank>(begin, end, full, body); });
  }
}

}  // namespace dolmen::cpu
