// tile<T, ...>: an array of compile-time shape, for shared memory.
#pragma once

#include "access.hpp"
#include "atomic.hpp"

namespace dolmen {

namespace detail {
// The largest power of two up to 32 that divides the size, so that it does not grow.
template <class T, int Count>
consteval std::size_t tile_alignment() {
  std::size_t const size = sizeof(T) * Count, power = size & -size;
  return power > 32 ? max(alignof(T), std::size_t(32)) : max(alignof(T), power);
}
}  // namespace detail

namespace types {

/// tile<float, 32, 33> t;  t(row, column). Rank 1 to 3, row-major, dense; trivially default-constructible, so that it
/// can be a member of a kernel's `struct shared`. Contents are undefined until written. A tile whose size is a multiple of
/// 2, 4, 8, 16 or 32 bytes is aligned to as many: copies of packs and fragments rely on it.
template <class T, int... Sizes>
struct tile {
  static constexpr int rank = sizeof...(Sizes);
  static_assert(rank >= 1 && rank <= 3, "tiles have rank 1, 2 or 3");
  static_assert(((Sizes > 0) && ...), "a tile has no empty side");
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>);

  using value_type = T;

  static DOLMEN_FN constexpr int size() { return (Sizes * ...); }
  static DOLMEN_FN constexpr int extent(int d) {
    constexpr int sizes[] = {Sizes...};
    return sizes[d];
  }

  DOLMEN_INLINE_FN constexpr decltype(auto) operator()(at i) requires(rank == 1) { return detail::access(place(i), i); }
  DOLMEN_INLINE_FN constexpr decltype(auto) operator()(at row, at column) requires(rank == 2) {
    return detail::access(place(row, column), row);
  }
  DOLMEN_INLINE_FN constexpr decltype(auto) operator()(at plane, at row, at column) requires(rank == 3) {
    return detail::access(place(plane, row, column), plane);
  }

  /// The value at an index, where a plain value is wanted.
  DOLMEN_INLINE_FN constexpr T load(at i) requires(rank == 1) { return (*this)(i); }
  DOLMEN_INLINE_FN constexpr T load(at row, at column) requires(rank == 2) { return (*this)(row, column); }
  DOLMEN_INLINE_FN constexpr T load(at plane, at row, at column) requires(rank == 3) { return (*this)(plane, row, column); }

  /// The element at an index, for use by several threads of the block at once: `bins.atomic(k).fetch_add(1)`. See atomic.hpp.
  DOLMEN_INLINE_FN atomic_ref<T, memory_scope::block> atomic(at i) requires(rank == 1) { return {place(i), i}; }
  DOLMEN_INLINE_FN atomic_ref<T, memory_scope::block> atomic(at row, at column) requires(rank == 2) { return {place(row, column), row}; }
  DOLMEN_INLINE_FN atomic_ref<T, memory_scope::block> atomic(at plane, at row, at column) requires(rank == 3) {
    return {place(plane, row, column), plane};
  }

  /// Where an element lies. The check backend gets null for an index that is outside.
  DOLMEN_INLINE_FN constexpr T* place(at i) requires(rank == 1) {
#if defined(DOLMEN_CHECK)
    if (!detail::inside(elements, i, extent(0), 0)) return nullptr;
#endif
    return elements + i.value;
  }
  DOLMEN_INLINE_FN constexpr T* place(at row, at column) requires(rank == 2) {
#if defined(DOLMEN_CHECK)
    if (!detail::inside(elements, row, extent(0), 0) || !detail::inside(elements, column, extent(1), 1)) return nullptr;
#endif
    return elements + (row.value * extent(1) + column.value);
  }
  DOLMEN_INLINE_FN constexpr T* place(at plane, at row, at column) requires(rank == 3) {
#if defined(DOLMEN_CHECK)
    if (!detail::inside(elements, plane, extent(0), 0) || !detail::inside(elements, row, extent(1), 1) ||
        !detail::inside(elements, column, extent(2), 2))
      return nullptr;
#endif
    return elements + ((plane.value * extent(1) + row.value) * extent(2) + column.value);
  }

  alignas(detail::tile_alignment<T, (Sizes * ...)>()) T elements[(Sizes * ...)];
};

}  // namespace types

using types::tile;

}  // namespace dolmen
