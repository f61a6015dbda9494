// transpose: rows become columns, of a matrix or of every plane of a batch.
#pragma once

#include "../core/overlap.hpp"

namespace dolmen {

namespace detail {

/// Elements are bytes that move together: bodies exist for 1, 2, 4, 8 and 16 of them.
struct transpose_plan {
  void const* from;
  void* to;
  int width;                                       // of an element, in bytes
  index_t planes, rows, columns;                   // of the source
  index_t from_plane, from_row, to_plane, to_row;  // strides in elements

  DOLMEN_FN bool in_place() const { return from == to; }
  /// Both addresses are multiples of the element's width.
  bool aligned() const { return (reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to)) % unsigned(width) == 0; }
};

template <class From, class To, int Rank>
transpose_plan plan_transpose(view<From, Rank> from, view<To, Rank> to) {
  constexpr int row = Rank - 2;
  return {from.data(),
          to.data(),
          int(sizeof(To)),
          Rank == 3 ? from.extent(0) : 1,
          from.extent(row),
          from.extent(row + 1),
          Rank == 3 ? from.stride(0) : 0,
          from.stride(row),
          Rank == 3 ? to.stride(0) : 0,
          to.stride(row)};
}

/// Of a square matrix of `across` x `across` tiles, the pairs that change places: those on and above the diagonal. Row k has
/// across - k of them, row across - 1 - k the k + 1 that fill it up to across + 1; so there are across + 1 for each of
/// ceil(across / 2) folded rows. The middle row of an odd number meets itself: row -1 is no pair.
struct tile_pair {
  index_t row, column;
};
DOLMEN_FN constexpr tile_pair pair_of_tiles(index_t number, index_t across) {
  index_t const row = number / (across + 1), rest = number % (across + 1) - (across - row);
  if (rest < 0) return {row, across + rest};
  index_t const other = across - 1 - row;
  return other == row ? tile_pair{-1, -1} : tile_pair{other, other + rest};
}

/// One and the same square matrix, or batch of them.
template <class From, class To, int Rank>
bool same_squares(view<From, Rank> from, view<To, Rank> to) {
  if (from.data() != to.data()) return false;
  for (int d = 0; d < Rank; ++d)
    if (from.extent(d) != to.extent(d) || (from.extent(d) > 1 && from.stride(d) != to.stride(d))) return false;
  return true;
}

}  // namespace detail

/// out(c, r) = in(r, c) for matrices, out(p, c, r) = in(p, r, c) for batches (views of rank 3), with any strides. `out` may be
/// `in` itself if that is square. Elements of 1, 2, 4, 8 or 16 bytes of any type. Does not synchronise.
/// Throws invalid_argument that names the shapes if out's is not the transposed one, or if out overlaps in but is not in.
template <stream_type Stream, view_like In, view_like Out>
void transpose(Stream const& stream, In const& in, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("transpose", where, stream, in, out);
  using T = detail::element_of<Out>;
  static_assert(!std::is_const_v<T>, "transpose: the destination's elements are constant");
  static_assert(std::is_same_v<detail::value_of<In const>, T>, "transpose: source and destination have different element types");
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "transpose: elements are 1, 2, 4, 8 or 16 bytes wide");
  auto const source = detail::as_view(in);
  auto const target = detail::as_view(out);
  constexpr int rank = decltype(source)::rank;
  static_assert(
      rank == decltype(target)::rank && rank >= 2,
      "transpose: both are matrices or batches of them, views of rank 2 or 3; a buffer takes a shape by buffer.view(rows, columns)");
  bool const fits = source.extent(rank - 2) == target.extent(rank - 1) && source.extent(rank - 1) == target.extent(rank - 2) &&
                    (rank == 2 || source.extent(0) == target.extent(0));
  detail::require(fits, where, "transpose: a transposed ", source.shape(), " does not have the shape ", target.shape());
  if (target.empty()) return;
  detail::require(detail::same_squares(source, target) || !detail::share_elements(detail::flat(source), detail::flat(target)), where,
                  "transpose: source ", source.shape(), " and destination ", target.shape(),
                  " overlap; only a square matrix can be transposed in place");
  detail::with_host_memory("transpose", where, [&] { launch_transpose(stream, detail::plan_transpose(source, target), where); });
}

/// The same in place: every matrix must be square. Throws invalid_argument that names the shape otherwise.
template <stream_type Stream, view_like Matrix>
void transpose(Stream const& stream, Matrix&& matrix, source_location where = source_location::current()) {
  detail::require_handles("transpose", where, stream, matrix);
  transpose(stream, detail::as_view(matrix), detail::as_view(matrix), where);
}

}  // namespace dolmen
