#include "fill.hpp"

#include "engine.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::fill_plan;

struct unit16 {
  std::uint64_t low, high;
};

constexpr index_t smallest_part = 64 * 1024;  // bytes

template <class Unit>
void fill_row(Unit* to, index_t begin, index_t end, Unit const* value, int period) {
  if (period == 1) {
    Unit const unit = value[0];
#pragma omp simd
    for (index_t i = begin; i < end; ++i) to[i] = unit;
  } else {
    for (index_t i = begin; i < end; ++i) to[i] = value[i % period];
  }
}

template <class Unit>
void fill_units(fill_plan const& plan) {
  Unit value[fill_plan::most_bytes / sizeof(Unit)];
  std::memcpy(value, plan.value, sizeof value);
  auto* const data = static_cast<Unit*>(plan.data);
  index_t const smallest = smallest_part / index_t(sizeof(Unit));
  if (plan.planes * plan.rows == 1) {
    run_ranges(plan.row_units, smallest, [&](index_t begin, index_t end, scratch&) { fill_row(data, begin, end, value, plan.period); });
    return;
  }
  run_ranges(plan.planes * plan.rows, ceil_div(smallest, plan.row_units), [&](index_t begin, index_t end, scratch&) {
    for (index_t r = begin; r < end; ++r)
      fill_row(data + r / plan.rows * plan.plane_stride + r % plan.rows * plan.row_stride, 0, plan.row_units, value, plan.period);
  });
}

}  // namespace

void launch_fill(stream const&, fill_plan const& plan, source_location) {
  switch (plan.unit_bytes) {
    case 1:
      return fill_units<std::uint8_t>(plan);
    case 2:
      return fill_units<std::uint16_t>(plan);
    case 4:
      return fill_units<std::uint32_t>(plan);
    case 8:
      return fill_units<std::uint64_t>(plan);
    default:
      return fill_units<unit16>(plan);
  }
}

}  // namespace dolmen::cpu
