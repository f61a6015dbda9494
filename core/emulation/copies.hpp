// Asynchronous copies where nothing is asynchronous: they happen at once.
#pragma once

#include <cstring>

#include "../tile.hpp"
#include "../view.hpp"

namespace dolmen::detail {

/// The elements of a view as a tile of T sees them: a view of T, or of packs of T.
template <class T, class E>
inline constexpr int elements_in = 0;
template <class T>
inline constexpr int elements_in<T, T> = 1;
template <class T, int N>
inline constexpr int elements_in<T, pack<T, N>> = N;

template <class T, class E, int Columns, int Pitch>
consteval void check_copy() {
  constexpr int n = elements_in<T, std::remove_const_t<E>>;
  static_assert(n != 0, "copy_async: the view holds the tile's element type, or packs of it");
  if constexpr (n > 1)
    static_assert(Columns % n == 0 && Pitch % n == 0, "copy_async by packs: the box and the tile's rows are a multiple of the pack wide");
}

}  // namespace dolmen::detail

namespace dolmen::emulation {

/// A box of Rows x Columns elements that begins at (row, column) of the matrix of shape rows x columns; zeros outside.
template <int Rows, int Columns, class T>
DOLMEN_INLINE_FN void copy_box(T* to, int pitch, T const* from, index_t stride, index_t rows, index_t columns, index_t row,
                               index_t column) {
  int const left = int(min(max(-column, index_t(0)), Columns)), right = int(min(max(columns - column, index_t(left)), Columns));
  for (int y = 0; y < Rows; ++y, to += pitch) {
    bool const inside = row + y >= 0 && row + y < rows;
    if (inside && left == 0 && right == Columns) {
      __builtin_memcpy(to, from + ((row + y) * stride + column), sizeof(T) * Columns);  // a number of vectors
    } else {
      for (int x = 0; x < Columns; ++x) to[x] = inside && x >= left && x < right ? from[(row + y) * stride + column + x] : T{};
    }
  }
}

}  // namespace dolmen::emulation
