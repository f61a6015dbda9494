#include "fill.hpp"

#include "row_pieces.hpp"
#include "stream_store.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::fill_plan;

struct unit16 {
  std::uint64_t low, high;
};

constexpr index_t filled_part = 64 * 1024;  // bytes

template <class Unit>
void fill_row(Unit* to, index_t first, index_t count, Unit const* value, int period) {
  if (period == 1) {
    Unit const unit = value[0];
#pragma omp simd
    for (index_t i = 0; i < count; ++i) to[i] = unit;
  } else {
    int next = int(first % period);
    for (index_t i = 0; i < count; ++i) {
      to[i] = value[next];
      next = next + 1 == period ? 0 : next + 1;
    }
  }
}

/// One line, over and over.
template <class Unit>
void fill_past_caches(Unit* to, index_t count, Unit const* value) {
  constexpr index_t units = line_bytes / index_t(sizeof(Unit));
  index_t const head = count >= 16 * units ? elements_to_line(to) : -1;
  if (head < 0) return fill_row(to, 0, count, value, 1);
  alignas(line_bytes) Unit line[units];
  fill_row(line, 0, units, value, 1);
  fill_row(to, 0, head, value, 1);
  index_t i = head;
  for (; i + units <= count; i += units) store_lines(to + i, line, line_bytes);
  finish_lines();
  fill_row(to + i, 0, count - i, value, 1);
}

template <class Unit>
void fill_units(fill_plan const& plan) {
  Unit value[fill_plan::most_bytes / sizeof(Unit)];
  std::memcpy(value, plan.value, sizeof value);
  auto* const data = static_cast<Unit*>(plan.data);
  index_t const extent[3] = {plan.planes, plan.rows, plan.row_units};
  bool const past = past_caches(extent[0] * extent[1] * extent[2] * index_t(sizeof(Unit)));
  run_pieces(extent, filled_part / index_t(sizeof(Unit)), [=](index_t plane, index_t row, index_t column, index_t count) {
    Unit* const to = data + plane * plan.plane_stride + row * plan.row_stride + column;
    if (past && plan.period == 1)
      fill_past_caches(to, count, value);
    else
      make_elements(to, count, past,
                    [&](Unit* place, index_t first, index_t part) { fill_row(place, column + first, part, value, plan.period); });
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
