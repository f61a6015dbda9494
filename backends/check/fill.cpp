#include "fill.hpp"

#include <cstring>

#include "findings.hpp"
#include "operations.hpp"
#include "window.hpp"

namespace dolmen::check {

void launch_fill(stream const& s, dolmen::detail::fill_plan const& plan, source_location where) {
  s.require_valid("fill", where);
  auto const by = impl::begin_operation("fill", s.order(), where);
  auto const& w = impl::window::get();
  auto const unit = std::size_t(plan.unit_bytes);
  auto* const data = static_cast<char*>(plan.data);
  for (index_t z = 0; z < plan.planes; ++z)
    for (index_t y = 0; y < plan.rows; ++y) {
      char* const row = data + (z * plan.plane_stride + y * plan.row_stride) * index_t(unit);
      if (!impl::use_range(by, row, std::size_t(plan.row_units) * unit, impl::use::write)) continue;
      char* const to = w.holds(row) ? w.reach(row) : row;
      for (index_t i = 0; i < plan.row_units; ++i)
        std::memcpy(to + std::size_t(i) * unit, plan.value + std::size_t(i % plan.period) * unit, unit);
    }
  impl::flush();
}

}  // namespace dolmen::check
