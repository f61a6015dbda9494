#include "transpose.hpp"

#include <utility>

#include "engine.hpp"
#include "stream_store.hpp"
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace dolmen::cpu {
namespace {

using dolmen::detail::transpose_plan;

// Matrices go through tiles that are copied into a buffer first, whose rows lie in different sets of the cache, whatever the
// matrix's rows do. Tiles that fit into the nearest cache are best, and for bytes writes that are longer than reads; measured on
// two cores, as parts of a copy's speed: 64 x 64 floats 0.7 to 0.9 and 128 x 128 floats 0.6 to 0.7.
template <int Width>
constexpr index_t transposed_columns = Width == 1    ? 128
                                       : Width == 16 ? 32
                                                     : 64;
template <int Width>
constexpr index_t transposed_rows = Width == 1 ? 256 : transposed_columns<Width>;
template <int Width>
constexpr index_t transposed_bytes = transposed_rows<Width>* transposed_columns<Width>* Width;
constexpr index_t transposed_part = 64 * 1024;  // bytes

template <int Width>
struct tile {
  static constexpr index_t pitch = transposed_columns<Width> * Width + line_bytes;
  alignas(line_bytes) char bytes[transposed_rows<Width> * pitch];
};

// Vectors are lanes of 16 bytes, in each of which a square is transposed.
constexpr int lane_bytes = 16;
#if defined(__AVX512F__)
constexpr int row_lanes = 4;
#elif defined(__AVX__)
constexpr int row_lanes = 2;
#else
constexpr int row_lanes = 1;
#endif
constexpr int row_vector_bytes = row_lanes * lane_bytes;

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define DOLMEN_SHUFFLES 1
#endif
#endif

#if defined(DOLMEN_SHUFFLES)
template <int Width>
using word =
    std::conditional_t<Width == 1, std::uint8_t,
                       std::conditional_t<Width == 2, std::uint16_t, std::conditional_t<Width == 4, std::uint32_t, std::uint64_t>>>;
template <int Width>
using row_vector [[gnu::vector_size(row_vector_bytes)]] = word<Width>;

// Of each lane the lower halves, a0 b0 a1 b1 ..., and the upper ones.
template <int Width, int... I>
void interleave(row_vector<Width> a, row_vector<Width> b, row_vector<Width>& low, row_vector<Width>& high,
                std::integer_sequence<int, I...>) {
  constexpr int all = sizeof...(I), n = lane_bytes / Width;
  low = __builtin_shufflevector(a, b, (I / n * n + I % n / 2 + I % 2 * all)...);
  high = __builtin_shufflevector(a, b, (I / n * n + n / 2 + I % n / 2 + I % 2 * all)...);
}

/// A vector whose lanes are 16 bytes of rows that far apart. By name: lanes that are put together by general means go
/// through memory, or through the port that shuffles need.
template <int Width>
row_vector<Width> load_lanes(char const* from, [[maybe_unused]] index_t apart) {
  row_vector<Width> v;
#if defined(__AVX__)
  auto const lane = [&](int i) { return _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i * apart)); };
#endif
#if defined(__AVX512F__)
  __m512i all = _mm512_castsi128_si512(lane(0));
  all = _mm512_inserti32x4(all, lane(1), 1);
  all = _mm512_inserti32x4(all, lane(2), 2);
  all = _mm512_inserti32x4(all, lane(3), 3);
#elif defined(__AVX__)
  __m256i const all = _mm256_insertf128_si256(_mm256_castsi128_si256(lane(0)), lane(1), 1);
#else
  auto const& all = *from;
#endif
  std::memcpy(&v, &all, sizeof v);
  return v;
}

/// One lane wide and a vector high: each column becomes a vector. A lane holds a square; each round moves the top bit of the
/// number of its row to the bottom of the column's.
template <int Width>
[[gnu::always_inline]] inline void transpose_block(char const* from, index_t from_row, char* to, index_t to_row) {
  constexpr int n = lane_bytes / Width;
  row_vector<Width> rows[n], next[n];
  for (int i = 0; i < n; ++i) rows[i] = load_lanes<Width>(from + i * from_row, n * from_row);
  for (int round = 1; round < n; round *= 2) {
    for (int i = 0; i < n / 2; ++i)
      interleave<Width>(rows[i], rows[i + n / 2], next[2 * i], next[2 * i + 1],
                        std::make_integer_sequence<int, row_vector_bytes / Width>());
    for (int i = 0; i < n; ++i) rows[i] = next[i];
  }
  for (int i = 0; i < n; ++i) std::memcpy(to + i * to_row, &rows[i], row_vector_bytes);
}
template <>
[[gnu::always_inline]] inline void transpose_block<16>(char const* from, index_t from_row, char* to, index_t) {
  for (int lane = 0; lane < row_lanes; ++lane) std::memcpy(to + lane * lane_bytes, from + lane * from_row, lane_bytes);
}
#else
template <int Width>
[[gnu::always_inline]] inline void transpose_block(char const* from, index_t from_row, char* to, index_t to_row) {
  for (index_t r = 0; r < row_vector_bytes / Width; ++r)
    for (index_t c = 0; c < lane_bytes / Width; ++c) std::memcpy(to + c * to_row + r * Width, from + r * from_row + c * Width, Width);
}
#endif

/// A short run. (Where it knows a size to be small, g++ makes of memcpy a string instruction that takes long to start.)
inline void copy_run(char* to, char const* from, index_t bytes) {
  index_t i = 0;
  for (; i + row_vector_bytes <= bytes; i += row_vector_bytes) {
    char vector[row_vector_bytes];
    std::memcpy(vector, from + i, row_vector_bytes);
    std::memcpy(to + i, vector, row_vector_bytes);
  }
  for (; i < bytes; ++i) to[i] = from[i];
}

template <int Width>
[[gnu::always_inline]] inline void load(char const* from, index_t from_row, index_t rows, index_t columns, tile<Width>& to) {
  for (index_t r = 0; r < rows; ++r) copy_run(to.bytes + r * tile<Width>::pitch, from + r * from_row, columns * Width);
}

/// A whole tile that will be read next: its lines come while the one before it is stored, which hides the time that memory
/// takes to answer. Null: none.
struct next_tile {
  char const* data;
  index_t row;
};

/// Writes what was loaded with these rows and columns, transposed.
template <int Width>
[[gnu::always_inline]] inline void store_transposed(tile<Width> const& from, index_t rows, index_t columns, char* to, index_t to_row,
                                                    bool past, next_tile next = {nullptr, 0}) {
  constexpr index_t n = lane_bytes / Width, height = row_vector_bytes / Width, pitch = tile<Width>::pitch,
                    run = transposed_rows<Width> * Width;
  alignas(line_bytes) char strip[n][run];
  index_t const blocks = rows / height * height;
  for (index_t c = 0; c < columns; c += n) {
    constexpr index_t share = n * transposed_rows<Width> / transposed_columns<Width>;
    for (index_t r = c / n * share; next.data && r < (c / n + 1) * share; ++r)
      for (index_t i = 0; i < transposed_columns<Width> * Width; i += line_bytes) __builtin_prefetch(next.data + r * next.row + i, 0, 2);
    // Beyond the last column of a tile at the edge the buffer holds what was there before: moved, but not stored.
    for (index_t r = 0; r < blocks; r += height)
      transpose_block<Width>(from.bytes + r * pitch + c * Width, pitch, strip[0] + r * Width, run);
    for (index_t r = blocks; r < rows; ++r)
      for (index_t k = 0; k < n; ++k) std::memcpy(strip[k] + r * Width, from.bytes + r * pitch + (c + k) * Width, Width);
    for (index_t k = 0; k < min(n, columns - c); ++k)
      if (past)
        store_past_caches(to + (c + k) * to_row, strip[k], rows * Width);
      else
        copy_run(to + (c + k) * to_row, strip[k], rows * Width);
  }
}

template <int Width>
void transpose_tiles(transpose_plan const& p) {
  constexpr index_t most_rows = transposed_rows<Width>, most_columns = transposed_columns<Width>;
  auto const* from = static_cast<char const*>(p.from);
  auto* to = static_cast<char*>(p.to);
  index_t const down = ceil_div(p.rows, most_rows), across = ceil_div(p.columns, most_columns);
  bool const past = past_caches(2 * p.planes * p.rows * p.columns * Width);
  run_ranges(p.planes * down * across, ceil_div(transposed_part, transposed_bytes<Width>), [&](index_t begin, index_t end, scratch&) {
    tile<Width> buffer;
    index_t const from_row = p.from_row * Width, to_row = p.to_row * Width;
    struct place {
      index_t plane, row, column;
    };
    auto const place_of = [&](index_t t) { return place{t / (down * across), t / across % down * most_rows, t % across * most_columns}; };
    auto const source = [&](place at) { return from + at.plane * p.from_plane * Width + at.row * from_row + at.column * Width; };
    auto const whole = [&](place at) { return p.rows - at.row >= most_rows && p.columns - at.column >= most_columns; };
    for (index_t t = begin; t < end; ++t) {
      place const at = place_of(t);
      char* const target = to + at.plane * p.to_plane * Width + at.column * to_row + at.row * Width;
      if (whole(at)) {  // whose sizes the compiler knows
        place const after = place_of(min(t + 1, end - 1));
        load<Width>(source(at), from_row, most_rows, most_columns, buffer);
        store_transposed<Width>(buffer, most_rows, most_columns, target, to_row, past,
                                {past && whole(after) ? source(after) : nullptr, from_row});
      } else {
        index_t const rows = min(most_rows, p.rows - at.row), columns = min(most_columns, p.columns - at.column);
        load<Width>(source(at), from_row, rows, columns, buffer);
        store_transposed<Width>(buffer, rows, columns, target, to_row, past);
      }
    }
    if (past) finish_lines();
  });
}

/// Tiles change places in pairs: squares, and so no more than a tile has columns.
template <int Width>
void transpose_squares(transpose_plan const& p) {
  constexpr index_t edge = transposed_columns<Width>;
  auto* const data = static_cast<char*>(p.to);
  index_t const across = ceil_div(p.rows, edge), folded = ceil_div(across, index_t(2));
  run_ranges(p.planes * folded * (across + 1), ceil_div(transposed_part, 2 * edge * edge * Width),
             [&](index_t begin, index_t end, scratch&) {
               tile<Width> upper, lower;
               for (index_t t = begin; t < end; ++t) {
                 auto const pair = dolmen::detail::pair_of_tiles(t % (folded * (across + 1)), across);
                 if (pair.row < 0) continue;
                 index_t const r = pair.row * edge, c = pair.column * edge;
                 index_t const rows = min(edge, p.rows - r), columns = min(edge, p.rows - c);
                 char* const plane = data + t / (folded * (across + 1)) * p.to_plane * Width;
                 char* const above = plane + (r * p.to_row + c) * Width;
                 char* const below = plane + (c * p.to_row + r) * Width;
                 load<Width>(above, p.to_row * Width, rows, columns, upper);
                 if (r != c) load<Width>(below, p.to_row * Width, columns, rows, lower);
                 store_transposed<Width>(upper, rows, columns, below, p.to_row * Width, false);
                 if (r != c) store_transposed<Width>(lower, columns, rows, above, p.to_row * Width, false);
               }
             });
}

template <int Width>
void transpose_width(transpose_plan const& p) {
  if (p.in_place())
    transpose_squares<Width>(p);
  else
    transpose_tiles<Width>(p);
}

}  // namespace

void launch_transpose(stream const&, transpose_plan const& plan, source_location) {
  switch (plan.width) {
    case 1:
      return transpose_width<1>(plan);
    case 2:
      return transpose_width<2>(plan);
    case 4:
      return transpose_width<4>(plan);
    case 8:
      return transpose_width<8>(plan);
    default:
      return transpose_width<16>(plan);
  }
}

}  // namespace dolmen::cpu
