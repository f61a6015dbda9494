#include "copy.hpp"

#include <cstring>

#include "engine.hpp"

namespace dolmen::cpu {
namespace {

constexpr index_t smallest_part = 64 * 1024;  // bytes

}  // namespace

void launch_copy(stream const&, dolmen::detail::copy_plan const& plan, source_location) {
  auto const* from = static_cast<char const*>(plan.from);
  auto* to = static_cast<char*>(plan.to);
  if (plan.planes * plan.rows == 1) {
    run_ranges(plan.row_bytes, smallest_part,
               [&](index_t begin, index_t end, scratch&) { std::memcpy(to + begin, from + begin, std::size_t(end - begin)); });
    return;
  }
  run_ranges(plan.planes * plan.rows, ceil_div(smallest_part, plan.row_bytes), [&](index_t begin, index_t end, scratch&) {
    for (index_t r = begin; r < end; ++r) {
      index_t const plane = r / plan.rows, row = r % plan.rows;
      std::memcpy(to + plane * plan.to_plane + row * plan.to_row, from + plane * plan.from_plane + row * plan.from_row,
                  std::size_t(plan.row_bytes));
    }
  });
}

// Host and device memory are the same here.
void launch_upload(stream const& s, dolmen::detail::copy_plan const& plan, source_location where) { launch_copy(s, plan, where); }
void launch_download(stream const& s, dolmen::detail::copy_plan const& plan, source_location where) { launch_copy(s, plan, where); }

}  // namespace dolmen::cpu
