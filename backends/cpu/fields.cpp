#include "fields.hpp"

#include "row_pieces.hpp"
#include "stream_store.hpp"

namespace dolmen::cpu {

using dolmen::detail::fields_plan;

namespace {

constexpr index_t fields_part = 64 * 1024, tile_bytes = 16 * 1024;  // a tile of records stays in the nearest cache

/// A member's value, at any address.
template <int Width>
struct value {
  char bytes[Width];
};

// Loops are compiled apart from what stages their results, which calls them in several places.
// The distance of records is a constant where it is a usual one, so that compilers can vectorise.
template <int Width, int Record>
[[gnu::noinline]] void copy_members(value<Width>* to, char const* from, index_t n, index_t record_bytes) {
  index_t const step = Record > 0 ? Record : record_bytes;
  for (index_t i = 0; i < n; ++i) std::memcpy(to[i].bytes, from + i * step, Width);
}

template <int Width>
using member_copy = void (*)(value<Width>*, char const*, index_t, index_t);
template <int Width>
member_copy<Width> member_copy_for(int record_bytes) {
  if constexpr (Width <= 8) {
    switch (record_bytes) {
      case 2 * Width:
        return copy_members<Width, 2 * Width>;
      case 3 * Width:
        return copy_members<Width, 3 * Width>;
      case 4 * Width:
        return copy_members<Width, 4 * Width>;
      case 8 * Width:
        return copy_members<Width, 8 * Width>;
    }
  }
  return copy_members<Width, 0>;
}

template <int Width>
void split_values(char* to, char const* from, index_t n, int record_bytes, bool past) {
  auto const copy = member_copy_for<Width>(record_bytes);
  make_elements(
      reinterpret_cast<value<Width>*>(to), n, past,
      [&](value<Width>* place, index_t first, index_t count) { copy(place, from + first * record_bytes, count, record_bytes); }, false);
}

template <int Width>
void join_values(char* to, char const* from, index_t n, int record_bytes) {
  for (index_t i = 0; i < n; ++i) std::memcpy(to + i * record_bytes, from + i * Width, Width);
}

void move_values(char* to, index_t to_step, char const* from, index_t from_step, index_t n, int width) {
  for (index_t i = 0; i < n; ++i) std::memcpy(to + i * to_step, from + i * from_step, std::size_t(width));
}

void split_members(char* to, char const* from, index_t n, int record_bytes, int width, bool past) {
  if (!with_width(width, [&](auto bytes) { split_values<bytes>(to, from, n, record_bytes, past); }))
    move_values(to, width, from, record_bytes, n, width);
}

void join(char* to, char const* from, index_t n, int record_bytes, int width) {
  if (!with_width(width, [&](auto bytes) { join_values<bytes>(to, from, n, record_bytes); }))
    move_values(to, record_bytes, from, width, n, width);
}

template <class Word, int Words>
using whole_record = value<Words* int(sizeof(Word))>;

template <class Word, int Words>
[[gnu::noinline]] void gather_members(whole_record<Word, Words>* to, char const* const (&from)[Words], index_t first, index_t n) {
  char const* begin[Words];
  for (int k = 0; k < Words; ++k) begin[k] = from[k] + first * index_t(sizeof(Word));
#pragma omp simd
  for (index_t i = 0; i < n; ++i)
    for (int k = 0; k < Words; ++k) std::memcpy(to[i].bytes + k * int(sizeof(Word)), begin[k] + i * index_t(sizeof(Word)), sizeof(Word));
}

template <class Word, int Words>
[[gnu::noinline]] void scatter_members(value<int(sizeof(Word))>* const (&to)[Words], whole_record<Word, Words> const* from, index_t n) {
#pragma omp simd
  for (index_t i = 0; i < n; ++i)
    for (int k = 0; k < Words; ++k) std::memcpy(to[k][i].bytes, from[i].bytes + k * int(sizeof(Word)), sizeof(Word));
}

/// Records that are nothing but the members at hand, all of one size: they are written whole, past the caches if need be.
template <class Word, int Words>
void join_whole(fields_plan const& plan) {
  using record = whole_record<Word, Words>;
  fields_plan::array arrays[Words];
  for (auto const& a : plan.arrays)
    if (a.data) arrays[a.offset / int(sizeof(Word))] = a;
  bool const past = past_caches(2 * plan.extent[0] * plan.extent[1] * plan.extent[2] * index_t(sizeof(record)));
  run_pieces(plan.extent, fields_part / index_t(sizeof(record)), [&](index_t plane, index_t row, index_t column, index_t count) {
    char const* from[Words];
    for (int k = 0; k < Words; ++k)
      from[k] = static_cast<char const*>(arrays[k].data) + plane * arrays[k].stride[0] + row * arrays[k].stride[1];
    char* const to = static_cast<char*>(plan.records) + plane * plan.stride[0] + row * plan.stride[1];
    make_elements(reinterpret_cast<record*>(to) + column, count, past,
                  [&](record* place, index_t first, index_t part) { gather_members<Word, Words>(place, from, column + first, part); });
  });
}

/// The members of such records go to their arrays in one pass, by blocks past the caches where an array's lines allow it.
template <class Word, int Words>
void split_whole(fields_plan const& plan) {
  using record = whole_record<Word, Words>;
  using word = value<int(sizeof(Word))>;
  constexpr index_t block = staged<word>;
  fields_plan::array arrays[Words];
  for (auto const& a : plan.arrays)
    if (a.data) arrays[a.offset / int(sizeof(Word))] = a;
  bool const past = past_caches(2 * plan.extent[0] * plan.extent[1] * plan.extent[2] * index_t(sizeof(record)));
  run_pieces(plan.extent, fields_part / index_t(sizeof(record)), [&](index_t plane, index_t row, index_t column, index_t count) {
    word* to[Words];
    for (int k = 0; k < Words; ++k)
      to[k] =
          reinterpret_cast<word*>(static_cast<char*>(arrays[k].data) + plane * arrays[k].stride[0] + row * arrays[k].stride[1]) + column;
    auto const* const from =
        reinterpret_cast<record const*>(static_cast<char const*>(plan.records) + plane * plan.stride[0] + row * plan.stride[1]) + column;
    index_t done = past && count >= 4 * block ? elements_to_line(to[0]) : count;
    if (done < 0) done = count;
    scatter_members<Word, Words>(to, from, done);
    alignas(line_bytes) word stage[Words][block];
    for (; done < count; done += block) {
      index_t const n = min(block, count - done);
      word* place[Words];
      bool lines[Words];
      for (int k = 0; k < Words; ++k) {
        lines[k] = n == block && elements_to_line(to[k] + done) == 0;
        place[k] = lines[k] ? stage[k] : to[k] + done;
      }
      scatter_members<Word, Words>(place, from + done, n);
      for (int k = 0; k < Words; ++k)
        if (lines[k]) store_lines(to[k] + done, stage[k], index_t(sizeof stage[k]));
    }
    finish_lines();
  });
}

/// True if there was a body for such records.
template <class Word, bool Split>
bool moved_whole(fields_plan const& plan) {
  if (plan.covered != plan.record_bytes) return false;
  for (int k = 0; k < plan.count; ++k)
    if (plan.arrays[k].width != int(sizeof(Word))) return false;
  auto const of = [&]<int Words>(std::integral_constant<int, Words>) {
    if (plan.count != Words) return false;
    if constexpr (Split)
      split_whole<Word, Words>(plan);
    else
      join_whole<Word, Words>(plan);
    return true;
  };
  return of(std::integral_constant<int, 2>()) || of(std::integral_constant<int, 3>()) || of(std::integral_constant<int, 4>()) ||
         of(std::integral_constant<int, 8>());
}

/// body(record, value, n, array) for tiles of records.
template <class Body>
void each_tile(fields_plan const& plan, Body const& body) {
  index_t const tile = max(index_t(64), tile_bytes / plan.record_bytes);
  run_pieces(plan.extent, ceil_div(fields_part, index_t(plan.record_bytes)),
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

               finish_lines();
             });
}

}  // namespace

void launch_split_fields(stream const&, fields_plan const& plan, source_location) {
  if (moved_whole<std::uint32_t, true>(plan) || moved_whole<std::uint64_t, true>(plan)) return;
  bool const past = past_caches(plan.extent[0] * plan.extent[1] * plan.extent[2] * (plan.record_bytes + plan.covered));
  each_tile(plan, [&](char* member, char* values, index_t n, fields_plan::array const& a) {
    split_members(values, member, n, plan.record_bytes, a.width, past);
  });
}

void launch_join_fields(stream const&, fields_plan const& plan, source_location) {
  if (moved_whole<std::uint32_t, false>(plan) || moved_whole<std::uint64_t, false>(plan)) return;
  each_tile(plan, [&](char* member, char* values, index_t n, fields_plan::array const& a) {
    join(member, values, n, plan.record_bytes, a.width);
  });
}

}  // namespace dolmen::cpu
