#include "copy.hpp"

#include <cstring>

#include "row_pieces.hpp"
#include "stream_store.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::copy_plan;

constexpr index_t copied_part = 64 * 1024;  // bytes

void copy_bytes(char* to, char const* from, index_t bytes, bool past) {
  if (!past || bytes < 2048) return void(std::memcpy(to, from, std::size_t(bytes)));
  store_past_caches(to, from, bytes);
  finish_lines();
}

/// Rows of so few bytes that a call for each would take longer than the bytes.
template <int Bytes>
void copy_short_rows(copy_plan const& plan) {
  auto const* const from = static_cast<char const*>(plan.from);
  auto* const to = static_cast<char*>(plan.to);
  index_t const extent[3] = {1, plan.planes, plan.rows};
  run_pieces(extent, copied_part / Bytes, [=](index_t, index_t plane, index_t row, index_t count) {
    char const* source = from + plane * plan.from_plane + row * plan.from_row;
    char* target = to + plane * plan.to_plane + row * plan.to_row;
    for (index_t i = 0; i < count; ++i) std::memcpy(target + i * plan.to_row, source + i * plan.from_row, Bytes);
  });
}

}  // namespace

void launch_copy(stream const&, copy_plan const& plan, source_location) {
  if (plan.rows > 1 && with_width(plan.row_bytes, [&](auto bytes) { copy_short_rows<bytes>(plan); })) return;
  auto const* const from = static_cast<char const*>(plan.from);
  auto* const to = static_cast<char*>(plan.to);
  index_t const extent[3] = {plan.planes, plan.rows, plan.row_bytes};
  bool const past = past_caches(2 * plan.bytes());
  run_pieces(extent, copied_part, [=](index_t plane, index_t row, index_t begin, index_t bytes) {
    copy_bytes(to + plane * plan.to_plane + row * plan.to_row + begin, from + plane * plan.from_plane + row * plan.from_row + begin, bytes,
               past);
  });
}

// Host and device memory are the same here.
void launch_upload(stream const& s, dolmen::detail::copy_plan const& plan, source_location where) { launch_copy(s, plan, where); }
void launch_download(stream const& s, dolmen::detail::copy_plan const& plan, source_location where) { launch_copy(s, plan, where); }

}  // namespace dolmen::cpu
