#include "sort.hpp"

#include <algorithm>
#include <vector>

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::sorts_before;

namespace {

/// Places in the order in which their keys come.
template <class T>
std::vector<index_t> sorted_places(T const* keys, index_t n, bool descending) {
  std::vector<index_t> places(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) places[std::size_t(i)] = i;
  std::stable_sort(places.begin(), places.end(), [&](index_t a, index_t b) { return sorts_before(keys[a], keys[b], descending); });
  return places;
}

template <class V>
void rearrange(V* values, std::vector<index_t> const& places) {
  std::vector<V> const old(values, values + places.size());
  for (std::size_t i = 0; i < places.size(); ++i) values[i] = old[std::size_t(places[i])];
}

}  // namespace

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where) {
  impl::algorithm const op("sort", s, where);
  bool const usable = op.reads(keys, n);
  if (!op.writes(keys, n) || !usable) return;
  T* const open = impl::opened(keys);
  rearrange(open, sorted_places(open, n, descending));
}

template <class T, class V>
void launch_sort_by_key(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  impl::algorithm const op("sort_by_key", s, where);
  bool usable = op.reads(keys, n);
  usable = op.reads(values, n) && usable;
  usable = op.writes(keys, n) && usable;
  if (!op.writes(values, n) || !usable) return;
  T* const open_keys = impl::opened(keys);
  auto const places = sorted_places(open_keys, n, descending);
  rearrange(open_keys, places);
  rearrange(impl::opened(values), places);
}

DOLMEN_EACH_NUMBER(DOLMEN_SORTS)

}  // namespace dolmen::check
