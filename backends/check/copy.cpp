#include "copy.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "findings.hpp"
#include "lent.hpp"
#include "operations.hpp"
#include "pinned.hpp"
#include "window.hpp"

namespace dolmen::check {

using dolmen::detail::copy_plan;

namespace {

// Every row on its own: strided copies move their own elements only, and are judged by them.
void copy_rows(copy_plan const& plan, impl::operation_number by, impl::use reading) {
  auto const& w = impl::window::get();
  auto const open = [&](char const* p) { return w.holds(p) ? w.reach(p) : impl::open_pinned(p); };
  auto const* from = static_cast<char const*>(plan.from);
  auto* to = static_cast<char*>(plan.to);
  auto const bytes = std::size_t(plan.row_bytes);
  for (index_t z = 0; z < plan.planes; ++z)
    for (index_t y = 0; y < plan.rows; ++y) {
      char const* const source = from + z * plan.from_plane + y * plan.from_row;
      char* const target = to + z * plan.to_plane + y * plan.to_row;
      bool const readable = impl::use_range(by, source, bytes, reading), writable = impl::use_range(by, target, bytes, impl::use::write);
      if (!readable || !writable) continue;
      std::memcpy(open(target), open(source), bytes);
      if (w.holds(source) && w.holds(target)) std::memcpy(w.state(target), w.state(source), bytes);
    }
  impl::flush();
}

std::size_t span(copy_plan const& p, index_t plane, index_t row) {
  return std::size_t((p.planes - 1) * plane + (p.rows - 1) * row + p.row_bytes);
}

}  // namespace

void launch_copy(stream const& s, copy_plan const& plan, source_location where) {
  s.require_valid("copy", where);
  copy_rows(plan, impl::begin_operation("copy", s.order(), where), impl::use::move);
}

void launch_upload(stream const& s, copy_plan const& plan, source_location where) {
  s.require_valid("copy", where);
  auto const by = impl::begin_operation("upload", s.order(), where);
  auto const bytes = span(plan, plan.from_plane, plan.from_row);
  impl::take_now(plan.from, bytes, by);
  impl::lend_pinned(plan.from, bytes, false, by);
  copy_rows(plan, by, impl::use::move);
}

void launch_download(stream const& s, copy_plan const& plan, source_location where) {
  s.require_valid("copy", where);
  auto const by = impl::begin_operation("download", s.order(), where);
  auto const bytes = span(plan, plan.to_plane, plan.to_row);
  if (impl::in_pinned(plan.to)) {
    impl::lend_pinned(plan.to, bytes, true, by);
    copy_rows(plan, by, impl::use::read);
  } else {
    std::vector<char> data(bytes);
    auto to_data = plan;
    to_data.to = data.data();
    copy_rows(to_data, by, impl::use::read);
    impl::lend(static_cast<char*>(plan.to), std::move(data), by);
  }
}

}  // namespace dolmen::check
