// Elements of strided views in row-major order, shared out evenly whatever the shape: many short rows, or few long ones.
#pragma once

#include <utility>

#include "../../core/layout.hpp"
#include "engine.hpp"

namespace dolmen::cpu {

/// Calls body(plane, row, column, count) for pieces of rows that make up the elements [begin, end).
template <class Body>
[[gnu::always_inline]] inline void each_piece(index_t const (&extent)[3], index_t begin, index_t end, Body const& body) {
  index_t const columns = extent[2];
  index_t const line = begin / columns;
  index_t plane = line / extent[1], row = line % extent[1], column = begin % columns;
  while (begin < end) {
    index_t const count = min(columns - column, end - begin);
    body(plane, row, column, count);
    begin += count;
    column = 0;
    if (++row == extent[1]) {
      row = 0;
      ++plane;
    }
  }
}

/// The same over all elements, by several threads; none gets fewer than `grain` elements unless there are fewer. What threads
/// have to know lies together, as should what `body` captures: each reference that another core follows may be a miss.
template <class Body>
inline void run_pieces(index_t const (&extent)[3], index_t grain, Body const& body) {
  struct {
    index_t extent[3];
    Body body;
  } const all{{extent[0], extent[1], extent[2]}, body};
  run_ranges(extent[0] * extent[1] * extent[2], grain,
             [all](index_t begin, index_t end, scratch&) { each_piece(all.extent, begin, end, all.body); });
}

/// Calls body(std::integral_constant<int, bytes>()) if there are as many bytes as elements usually have; says whether.
template <class Body>
inline bool with_width(index_t bytes, Body const& body) {
  auto const is = [&]<int Bytes>(std::integral_constant<int, Bytes> width) {
    if (bytes == Bytes) body(width);
    return bytes == Bytes;
  };
  return [&]<int... Bytes>(std::integer_sequence<int, Bytes...>) { return (is(std::integral_constant<int, Bytes>()) || ...); }
  (std::integer_sequence<int, 1, 2, 4, 8, 12, 16>());
}

}  // namespace dolmen::cpu
