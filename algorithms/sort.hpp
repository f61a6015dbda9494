// sort and sort_by_key: stable, in place.
#pragma once

#include "../core/overlap.hpp"
#include "copy.hpp"
#include "element_types.hpp"

namespace dolmen {

namespace types {

/// Which keys come first.
enum class sort_order { ascending, descending };

}  // namespace types

using types::sort_order;

namespace detail {

template <class T>
concept sort_value = element_type<T> &&(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

/// By its size; values are only moved.
template <int Bytes>
struct sort_moved_type {
  struct alignas(8) wide {
    std::uint64_t low, high;
  };
  using type = std::conditional_t<
      Bytes == 16, wide,
      std::conditional_t<Bytes == 8, std::uint64_t,
                         std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 2, std::uint16_t, std::uint8_t>>>>;
};

/// A number whose order as an unsigned integer is that of the key: equal for keys that are equal to the sort (-0.0 and
/// 0.0; all NaNs, which come last), and reversed for descending order.
template <class T>
DOLMEN_INLINE_FN word_of<T> sort_rank(T key, bool descending) {
  using word = word_of<T>;
  constexpr word sign = word(word(1) << (8 * sizeof(T) - 1));
  word bits = bits_of(key);
  if constexpr (std::is_integral_v<T>) {
    if (std::is_signed_v<T>) bits = word(bits ^ sign);
    return descending ? word(~bits) : bits;
  } else {
    if (key != key) return word(~word(0));
    if (bits == sign) bits = 0;
    word const up = (bits & sign) != 0 ? word(~bits) : word(bits | sign);
    return descending ? word(~up) : up;
  }
}

/// True if `a` comes before `b`.
template <class T>
DOLMEN_INLINE_FN bool sorts_before(T a, T b, bool descending) {
  return sort_rank(a, descending) < sort_rank(b, descending);
}

}  // namespace detail

/// Sorts the elements of `keys` (any rank and strides, row by row) in place. Keys are integers, float, double, half or
/// bfloat16. NaNs of either sign come last in both orders; -0.0 and 0.0 are equal; equal keys keep their order. Takes
/// temporary memory of up to three times the keys' from the stream's pool, and a byte for each. Does not synchronise.
/// CUDA: radix sort of the library CUB. CPU: buckets of neighbouring keys, which threads share out and sort by the
/// vectorised quicksort of the library Highway, where the build found it, else by digits; keys of 8 and 16 bits are counted.
template <stream_type Stream, view_like Keys>
void sort(Stream const& stream, Keys&& keys, sort_order direction = sort_order::ascending,
          source_location where = source_location::current()) {
  detail::require_handles("sort", where, stream, keys);
  using T = detail::element_of<Keys>;
  static_assert(detail::number_element<T>, "sort: keys are integers, float, double, half or bfloat16, and not constant");
  auto const view_of = detail::as_view(keys);
  if (view_of.size() <= 1) return;
  using body = detail::body_t<T>;
  if (view_of.contiguous() && detail::aligned_for<body>(view_of.data())) {
    detail::with_host_memory("sort", where, [&] {
      launch_sort(stream, reinterpret_cast<body*>(view_of.data()), view_of.size(), direction == sort_order::descending, where);
    });
    return;
  }
  buffer<T, typename Stream::backend> dense(stream, view_of.size(), memory::pooled, where);
  view<T, decltype(view_of)::rank> const target(dense.data(), view_of.shape());
  copy(stream, view_of, target, where);
  detail::with_host_memory("sort", where, [&] {
    launch_sort(stream, reinterpret_cast<body*>(dense.data()), dense.size(), direction == sort_order::descending, where);
  });
  copy(stream, target, view_of, where);
}

/// Sorts `keys`, and brings `values`, a view of the same shape, into the same order. Values are 1, 2, 4, 8 or 16 bytes
/// wide; all else is as for sort, but for temporary memory, which may be that of keys and values and 33 bytes for each.
/// Throws invalid_argument if the shapes differ or the views overlap.
template <stream_type Stream, view_like Keys, view_like Values>
void sort_by_key(Stream const& stream, Keys&& keys, Values&& values, sort_order direction = sort_order::ascending,
                 source_location where = source_location::current()) {
  detail::require_handles("sort_by_key", where, stream, keys, values);
  using T = detail::element_of<Keys>;
  using V = detail::element_of<Values>;
  static_assert(detail::number_element<T>, "sort_by_key: keys are integers, float, double, half or bfloat16, and not constant");
  static_assert(detail::sort_value<V> && !std::is_const_v<V>, "sort_by_key: values are 1, 2, 4, 8 or 16 bytes wide, and not constant");
  auto const key_view = detail::as_view(keys);
  auto const value_view = detail::as_view(values);
  constexpr int rank = decltype(key_view)::rank;
  static_assert(rank == decltype(value_view)::rank, "sort_by_key: keys and values have different ranks");
  detail::require_same_shape(key_view, value_view, "sort_by_key", where);
  detail::require(!detail::share_elements(detail::flat(key_view), detail::flat(value_view)), where, "sort_by_key: keys and values overlap");
  index_t const n = key_view.size();
  if (n <= 1) return;
  using body = detail::body_t<T>;
  using moved = typename detail::sort_moved_type<sizeof(V)>::type;
  // What is not sorted where it lies: rows with gaps, and values at addresses at which their words cannot lie.
  bool const dense_keys = key_view.contiguous() && detail::aligned_for<body>(key_view.data());
  bool const dense_values = value_view.contiguous() && detail::aligned_for<moved>(value_view.data());
  buffer<T, typename Stream::backend> key_room(stream, dense_keys ? 0 : n, memory::pooled, where);
  buffer<V, typename Stream::backend> value_room(stream, dense_values ? 0 : n, memory::pooled, where);
  view<T, rank> const key_target(dense_keys ? key_view.data() : key_room.data(), key_view.shape());
  view<V, rank> const value_target(dense_values ? value_view.data() : value_room.data(), value_view.shape());
  if (!dense_keys) copy(stream, key_view, key_target, where);
  if (!dense_values) copy(stream, value_view, value_target, where);
  detail::with_host_memory("sort_by_key", where, [&] {
    launch_sort_by_key(stream, reinterpret_cast<body*>(key_target.data()), reinterpret_cast<moved*>(value_target.data()), n,
                       direction == sort_order::descending, where);
  });
  if (!dense_keys) copy(stream, key_target, key_view, where);
  if (!dense_values) copy(stream, value_target, value_view, where);
}

}  // namespace dolmen

// The bodies of sorting by keys T, of a backend's namespace: alone, and with values of every width.
#define DOLMEN_SORT_PAIRS(T, bytes)                                                                                                     \
  template DOLMEN_API void launch_sort_by_key(stream const&, T*, typename dolmen::detail::sort_moved_type<bytes>::type*, index_t, bool, \
                                              source_location);
#define DOLMEN_SORTS(T)                                                                    \
  template DOLMEN_API void launch_sort(stream const&, T*, index_t, bool, source_location); \
  DOLMEN_SORT_PAIRS(T, 1)                                                                  \
  DOLMEN_SORT_PAIRS(T, 2) DOLMEN_SORT_PAIRS(T, 4) DOLMEN_SORT_PAIRS(T, 8) DOLMEN_SORT_PAIRS(T, 16)
