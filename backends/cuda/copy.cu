#include "copy.hpp"
#include "launch.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::copy_plan;

constexpr int threads = 256;

/// Rows of units; a group of threads moves a piece of one row.
template <class Unit>
__global__ void __launch_bounds__(threads) copy_rows(copy_plan const plan, index_t row_units, int width) {
  index_t const lines = plan.planes * plan.rows, pieces = (row_units + width - 1) / width;
  int const per_block = threads / width;  // pieces that a block moves at once
  index_t const stride = index_t(gridDim.x) * per_block;
  for (index_t p = index_t(blockIdx.x) * per_block + threadIdx.x / width; p < lines * pieces; p += stride) {
    index_t const line = p / pieces, i = p % pieces * width + threadIdx.x % width;
    if (i >= row_units) continue;
    index_t const plane = line / plan.rows, row = line % plan.rows;
    auto const* from = reinterpret_cast<Unit const*>(static_cast<char const*>(plan.from) + plane * plan.from_plane + row * plan.from_row);
    auto* to = reinterpret_cast<Unit*>(static_cast<char*>(plan.to) + plane * plan.to_plane + row * plan.to_row);
    to[i] = from[i];
  }
}

template <class Unit>
void copy_units(stream const& s, copy_plan const& plan, source_location where) {
  index_t const units = plan.row_bytes / index_t(sizeof(Unit));
  int width = 1;  // a power of two of threads per row, so that short rows do not leave most of a block idle
  while (width < threads && width < units) width *= 2;
  index_t const pieces = plan.planes * plan.rows * ceil_div(units, index_t(width));
  unsigned const blocks = unsigned(min(ceil_div(pieces, index_t(threads / width)), index_t(1) << 20));
  impl::launch_native(s, "copy", blocks, threads, 0, where, copy_rows<Unit>, plan, units, width);
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
