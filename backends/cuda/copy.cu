#include "copy.hpp"
#include "row_tiles.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::copy_plan;

template <class Unit>
__global__ void __launch_bounds__(impl::row_tiles::threads)
    copy_rows(__grid_constant__ copy_plan const plan, __grid_constant__ impl::row_tiles const tiles) {
  constexpr int slots = impl::row_tiles::slots;
  Unit values[slots];  // all loads come before the first store
#pragma unroll
  for (int k = 0; k < slots; ++k)
    if (auto const at = tiles.at(k); at.inside)
      values[k] = reinterpret_cast<Unit const*>(static_cast<char const*>(plan.from) + at.plane * plan.from_plane +
                                                at.row * plan.from_row)[at.piece];
#pragma unroll
  for (int k = 0; k < slots; ++k)
    if (auto const at = tiles.at(k); at.inside)
      reinterpret_cast<Unit*>(static_cast<char*>(plan.to) + at.plane * plan.to_plane + at.row * plan.to_row)[at.piece] = values[k];
}

template <class Unit>
void copy_units(stream const& s, copy_plan const& plan, source_location where) {
  auto const tiles = impl::row_tiles::of(plan.planes, plan.rows, plan.row_bytes / index_t(sizeof(Unit)));
  impl::launch_native(s, "copy", tiles.blocks("copy", where), impl::row_tiles::threads, 0, where, copy_rows<Unit>, plan, tiles);
}

/// The widest access that addresses, strides and rows allow.
int unit_bytes(copy_plan const& p) {
  auto const bits = reinterpret_cast<std::uintptr_t>(p.from) | reinterpret_cast<std::uintptr_t>(p.to) | std::uintptr_t(p.row_bytes) |
                    std::uintptr_t(p.from_plane) | std::uintptr_t(p.from_row) | std::uintptr_t(p.to_plane) | std::uintptr_t(p.to_row);
  int unit = 16;
  while (bits % unsigned(unit)) unit /= 2;
  return unit;
}

/// Between host and device the copy engines do the work.
void transfer(stream const& s, copy_plan const& plan, cudaMemcpyKind kind, char const* what, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  auto const* from = static_cast<char const*>(plan.from);
  auto* to = static_cast<char*>(plan.to);
  auto const bytes = std::size_t(plan.row_bytes);
  constexpr index_t most_pitch = 0x7fffffff;
  for (index_t p = 0; p < plan.planes; ++p, from += plan.from_plane, to += plan.to_plane) {
    if (plan.rows == 1) {
      impl::check(cudaMemcpyAsync(to, from, bytes, kind, s.native()), what, where);
    } else if (plan.from_row <= most_pitch && plan.to_row <= most_pitch) {
      impl::check(cudaMemcpy2DAsync(to, std::size_t(plan.to_row), from, std::size_t(plan.from_row), bytes, std::size_t(plan.rows), kind,
                                    s.native()),
                  what, where);
    } else {
      for (index_t r = 0; r < plan.rows; ++r)
        impl::check(cudaMemcpyAsync(to + r * plan.to_row, from + r * plan.from_row, bytes, kind, s.native()), what, where);
    }
  }
  impl::finish(s, what, where);
}

}  // namespace

void launch_copy(stream const& s, copy_plan const& plan, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  if (plan.planes * plan.rows == 1) {
    impl::check(cudaMemcpyAsync(plan.to, plan.from, std::size_t(plan.row_bytes), cudaMemcpyDeviceToDevice, s.native()), "copy", where);
    impl::finish(s, "copy", where);
    return;
  }
  switch (unit_bytes(plan)) {
    case 1:
      return copy_units<std::uint8_t>(s, plan, where);
    case 2:
      return copy_units<std::uint16_t>(s, plan, where);
    case 4:
      return copy_units<std::uint32_t>(s, plan, where);
    case 8:
      return copy_units<std::uint64_t>(s, plan, where);
    default:
      return copy_units<uint4>(s, plan, where);
  }
}

void launch_upload(stream const& s, copy_plan const& plan, source_location where) {
  transfer(s, plan, cudaMemcpyHostToDevice, "upload", where);
}

void launch_download(stream const& s, copy_plan const& plan, source_location where) {
  transfer(s, plan, cudaMemcpyDeviceToHost, "download", where);
}

}  // namespace dolmen::cuda
