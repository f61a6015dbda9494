#include "fields.hpp"

#include "row_pieces.hpp"
#include "stream_store.hpp"

namespace dolmen::cpu {

using dolmen::detail::fields_plan;

namespace {

constexpr index_t smallest_part = 64 * 1024, tile_bytes = 16 * 1024;  // a tile of records stays in the nearest cache

/// A member's value, at any address.
template <int Width>
struct value {
  char bytes[Width];
};

// The distance of records is a constant where it is a usual one, so that compilers can vectorise.
template <int Width, int Record>
void split_values(char* to, char const* from, index_t n, int record_bytes, bool past) {
  index_t const step = Record > 0 ? Record : record_bytes;
  make_elements(reinterpret_cast<value<Width>*>(to), n, past, [&](value<Width>* place, index_t first, index_t count) {
    char const* const begin = from + first * step;
    for (index_t i = 0; i < count; ++i) std::memcpy(place[i].bytes, begin + i * step, Width);
  });
}

template <int Width>
void join_values(char* to, char const* from, index_t n, int record_bytes, bool) {
  for (index_t i = 0; i < n; ++i) std::memcpy(to + i * record_bytes, from + i * Width, Width);
}

void move_values(char* to, index_t to_step, char const* from, index_t from_step, index_t n, int width) {
  for (index_t i = 0; i < n; ++i) std::memcpy(to + i * to_step, from + i * from_step, std::size_t(width));
}

template <int Width>
void split_width(char* to, char const* from, index_t n, int record_bytes, bool past) {
  switch (record_bytes) {
    case 2 * Width:
      return split_values<Width, 2 * Width>(to, from, n, record_bytes, past);
    case 3 * Width:
      return split_values<Width, 3 * Width>(to, from, n, record_bytes, past);
    case 4 * Width:
      return split_values<Width, 4 * Width>(to, from, n, record_bytes, past);
    case 8 * Width:
      return split_values<Width, 8 * Width>(to, from, n, record_bytes, past);
    default:
      return split_values<Width, 0>(to, from, n, record_bytes, past);
  }
}

void split(char* to, char const* from, index_t n, int record_bytes, int width, bool past) {
  switch (width) {
    case 1:
      return split_width<1>(to, from, n, record_bytes, past);
    case 2:
      return split_width<2>(to, from, n, record_bytes, past);
    case 4:
      return split_width<4>(to, from, n, record_bytes, past);
    case 8:
      return split_width<8>(to, from, n, record_bytes, past);
    case 12:
      return split_values<12, 0>(to, from, n, record_bytes, past);
    case 16:
      return split_values<16, 0>(to, from, n, record_bytes, past);
    default:
      return move_values(to, width, from, record_bytes, n, width);
  }
}

void join(char* to, char const* from, index_t n, int record_bytes, int width, bool past) {
  switch (width) {
    case 1:
      return join_values<1>(to, from, n, record_bytes, past);
    case 2:
      return join_values<2>(to, from, n, record_bytes, past);
    case 4:
      return join_values<4>(to, from, n, record_bytes, past);
    case 8:
      return join_values<8>(to, from, n, record_bytes, past);
    case 12:
      return join_values<12>(to, from, n, record_bytes, past);
    case 16:
      return join_values<16>(to, from, n, record_bytes, past);
    default:
      return move_values(to, record_bytes, from, width, n, width);
  }
}

/// body(record, value, n, array) for tiles of records.
template <class Body>
void each_tile(fields_plan const& plan, Body const& body) {
  index_t const tile = max(index_t(64), tile_bytes / plan.record_bytes);
  run_pieces(plan.extent, ceil_div(smallest_part, index_t(plan.record_bytes)),
             [&](index_t plane, index_t row, index_t column, index_t count) {
               char* const records = static_cast<char*>(plan.records) + plane * plan.stride[0] + row * plan.stride[1];
               for (index_t begin = column; begin < column + count; begin += tile) {
                 index_t const n = min(tile, column + count - begin);
                 for (int k = 0; k < plan.count; ++k) {
                   auto const& a = plan.arrays[k];
                   body(records + begin * plan.record_bytes + a.offset,
                        static_cast<char*>(a.data) + plane * a.stride[0] + row * a.stride[1] + begin * a.width, n, a);
                 }
               }
             });
}

}  // namespace

void launch_split_fields(stream const&, fields_plan const& plan, source_location) {
  bool const past = past_caches(plan.extent[0] * plan.extent[1] * plan.extent[2] * (plan.record_bytes + plan.covered));
  each_tile(plan, [&](char* member, char* values, index_t n, fields_plan::array const& a) {
    split(values, member, n, plan.record_bytes, a.width, past);
  });
}

void launch_join_fields(stream const&, fields_plan const& plan, source_location) {
  each_tile(plan, [&](char* member, char* values, index_t n, fields_plan::array const& a) {
    join(member, values, n, plan.record_bytes, a.width, false);
  });
}

}  // namespace dolmen::cpu
