#include "sort.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "ranges.hpp"

namespace dolmen::check {

namespace {

/// A key's rank and its place, by which all types of keys are sorted alike.
struct ranked {
  std::uint64_t rank;
  index_t place;
  friend bool operator<(ranked const& a, ranked const& b) { return a.rank < b.rank || (a.rank == b.rank && a.place < b.place); }
};

void sort_ranks(std::vector<ranked>& ranks) { std::sort(ranks.begin(), ranks.end()); }

/// The order in which keys come.
template <class T>
std::vector<ranked> sorted_places(T const* keys, index_t n, bool descending) {
  std::vector<ranked> ranks(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) ranks[std::size_t(i)] = {dolmen::detail::sort_rank(keys[i], descending), i};
  sort_ranks(ranks);
  return ranks;
}

void rearrange(void* values, std::size_t bytes, std::vector<ranked> const& order) {
  auto* const to = static_cast<char*>(values);
  std::vector<char> const old(to, to + order.size() * bytes);
  for (std::size_t i = 0; i < order.size(); ++i) std::memcpy(to + i * bytes, old.data() + std::size_t(order[i].place) * bytes, bytes);
}

}  // namespace

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where) {
  impl::algorithm const op("sort", s, where);
  bool const usable = op.reads(keys, n);
  if (!op.writes(keys, n) || !usable) return;
  T* const open = impl::opened(keys);
  rearrange(open, sizeof(T), sorted_places(open, n, descending));
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
  rearrange(open_keys, sizeof(T), places);
  rearrange(impl::opened(values), sizeof(V), places);
}

DOLMEN_EACH_NUMBER(DOLMEN_SORTS)

}  // namespace dolmen::check
