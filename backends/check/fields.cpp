#include "fields.hpp"

#include <cstring>

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::fields_plan;

namespace {

void move_fields(impl::algorithm const& op, fields_plan const& plan, bool split) {
  for (index_t z = 0; z < plan.extent[0]; ++z)
    for (index_t y = 0; y < plan.extent[1]; ++y)
      for (index_t x = 0; x < plan.extent[2]; ++x) {
        char* const record = static_cast<char*>(plan.records) + z * plan.stride[0] + y * plan.stride[1] + x * plan.record_bytes;
        for (int k = 0; k < plan.count; ++k) {
          auto const& a = plan.arrays[k];
          char* const value = static_cast<char*>(a.data) + z * a.stride[0] + y * a.stride[1] + x * a.width;
          char* const member = record + a.offset;
          char* const from = split ? member : value;
          char* const to = split ? value : member;
          bool const readable = op.reads(from, a.width);
          if (op.writes(to, a.width) && readable) std::memcpy(impl::opened(to), impl::opened(from), std::size_t(a.width));
        }
      }
}

}  // namespace

void launch_split_fields(stream const& s, fields_plan const& plan, source_location where) {
  impl::algorithm const op("split_fields", s, where);
  move_fields(op, plan, true);
}

void launch_join_fields(stream const& s, fields_plan const& plan, source_location where) {
  impl::algorithm const op("join_fields", s, where);
  move_fields(op, plan, false);
}

}  // namespace dolmen::check
