#include "sort.hpp"

#include <algorithm>
#include <vector>

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::sort_moved_type;
using dolmen::detail::sorts_before;

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where) {
  impl::algorithm const op("sort", s, where);
  bool const usable = op.reads(keys, n);
  if (!op.writes(keys, n) || !usable) return;
  T* const open = impl::opened(keys);
  std::stable_sort(open, open + n, [&](T a, T b) { return sorts_before(a, b, descending); });
}

template <class T, class V>
void launch_sort_by_key(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  impl::algorithm const op("sort_by_key", s, where);
  bool usable = op.reads(keys, n);
  usable = op.reads(values, n) && usable;
  usable = op.writes(keys, n) && usable;
  if (!op.writes(values, n) || !usable) return;
  T* const open_keys = impl::opened(keys);
  V* const open_values = impl::opened(values);
  std::vector<std::pair<T, V>> pairs;
  for (index_t i = 0; i < n; ++i) pairs.emplace_back(open_keys[i], open_values[i]);
  std::stable_sort(pairs.begin(), pairs.end(), [&](auto const& a, auto const& b) { return sorts_before(a.first, b.first, descending); });
  for (index_t i = 0; i < n; ++i) {
    open_keys[i] = pairs[std::size_t(i)].first;
    open_values[i] = pairs[std::size_t(i)].second;
  }
}

#define DOLMEN_SORT(T) template DOLMEN_API void launch_sort(stream const&, T*, index_t, bool, source_location);
#define DOLMEN_SORT_PAIRS(T, bytes) \
  template DOLMEN_API void launch_sort_by_key(stream const&, T*, typename sort_moved_type<bytes>::type*, index_t, bool, source_location);
#define DOLMEN_SORTS(T) DOLMEN_SORT(T) DOLMEN_EACH_SORTED_VALUE(DOLMEN_SORT_PAIRS, T)
DOLMEN_EACH_NUMBER(DOLMEN_SORTS)

}  // namespace dolmen::check
