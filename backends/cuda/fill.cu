#include "fill.hpp"
#include "launch.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::fill_plan;

constexpr int threads = 256;

struct unit16 {
  uint4 bits;
};

template <class Unit>
struct pattern {
  Unit units[fill_plan::most_bytes / sizeof(Unit)];
};

/// One unit per thread; blocks of one row follow each other.
template <class Unit>
__global__ void __launch_bounds__(threads) fill_rows(Unit* data, index_t rows, index_t row_units, index_t plane_stride, index_t row_stride,
                                                     int period, __grid_constant__ pattern<Unit> const value, index_t groups) {
  index_t const line = index_t(blockIdx.x) / groups;
  index_t const i = index_t(blockIdx.x) % groups * threads + threadIdx.x;
  if (i < row_units) data[line / rows * plane_stride + line % rows * row_stride + i] = value.units[period == 1 ? 0 : i % period];
}

/// Dense data of one unit's pattern: the value stays in registers.
template <class Unit>
__global__ void __launch_bounds__(threads) fill_dense(Unit* data, index_t n, Unit const value) {
  index_t const stride = index_t(gridDim.x) * threads;
  for (index_t i = index_t(blockIdx.x) * threads + threadIdx.x; i < n; i += stride) data[i] = value;
}

template <class Unit>
void fill_units(stream const& s, fill_plan const& plan, source_location where) {
  pattern<Unit> value;
  std::memcpy(&value, plan.value, sizeof value);
  auto* const data = static_cast<Unit*>(plan.data);
  index_t const groups = ceil_div(plan.row_units, index_t(threads)), lines = plan.planes * plan.rows;
  if (lines == 1 && plan.period == 1) {
    unsigned const blocks = unsigned(min(groups, index_t(1) << 20));
    impl::launch_native(s, "fill", blocks, threads, 0, where, fill_dense<Unit>, data, plan.row_units, value.units[0]);
    return;
  }
  // As many whole rows per launch as a grid holds.
  index_t const most = max(index_t(1), 0x7fffffff / groups);
  index_t const planes_per_launch = max(index_t(1), most / plan.rows);
  for (index_t p = 0; p < plan.planes; p += planes_per_launch)
    for (index_t r = 0; r < plan.rows; r += most) {
      index_t const planes = min(planes_per_launch, plan.planes - p), rows = min(most, plan.rows - r);
      impl::launch_native(s, "fill", unsigned(planes * rows * groups), threads, 0, where, fill_rows<Unit>,
                          data + p * plan.plane_stride + r * plan.row_stride, rows, plan.row_units, plan.plane_stride, plan.row_stride,
                          plan.period, value, groups);
    }
}

/// Dense data of one value is stored 16 bytes at a time where the data allows it.
void widen(fill_plan& plan) {
  if (plan.period != 1 || plan.planes * plan.rows != 1 || plan.unit_bytes == 16) return;
  int const factor = 16 / plan.unit_bytes;
  if (reinterpret_cast<std::uintptr_t>(plan.data) % 16 || plan.row_units % factor) return;
  for (int i = 1; i < factor; ++i) std::memcpy(plan.value + i * plan.unit_bytes, plan.value, std::size_t(plan.unit_bytes));
  plan.row_units /= factor;
  plan.unit_bytes = 16;
}

}  // namespace

void launch_fill(stream const& s, fill_plan const& asked, source_location where) {
  fill_plan plan = asked;
  widen(plan);
  impl::device_guard guard(s.device_index(), where);
  switch (plan.unit_bytes) {
    case 1:
      return fill_units<std::uint8_t>(s, plan, where);
    case 2:
      return fill_units<std::uint16_t>(s, plan, where);
    case 4:
      return fill_units<std::uint32_t>(s, plan, where);
    case 8:
      return fill_units<std::uint64_t>(s, plan, where);
    default:
      return fill_units<unit16>(s, plan, where);
  }
}

}  // namespace dolmen::cuda
