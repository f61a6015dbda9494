#include "sort.hpp"

#include <algorithm>

#include "engine.hpp"

namespace dolmen::cpu {

using dolmen::detail::sort_rank;
using dolmen::detail::word_of;

namespace {

constexpr index_t smallest_run = 32768;  // elements that one core sorts at least

/// What is sorted: a key's rank, and the key itself where it cannot be told from that, or the key's place.
template <class Rank, class Payload>
struct ranked {
  Rank rank;
  Payload payload;
  friend bool operator<(ranked const& a, ranked const& b) { return a.rank < b.rank; }
  friend void swap(ranked& a, ranked& b) { std::swap(a, b); }  // the standard library's call is ambiguous without
};

/// How many of the first `taken` elements of a stable merge come from a (merge path: Odeh et al., Merge Path, IPDPSW
/// 2012).
template <class E>
index_t from_first(E const* a, index_t na, E const* b, index_t nb, index_t taken) {
  index_t low = max(index_t(0), taken - nb), high = min(taken, na);
  while (low < high) {
    index_t const middle = low + (high - low) / 2;
    if (b[taken - middle - 1] < a[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Sorts runs, then merges neighbours, each merge shared out by all workers. Run lengths do not change the result, as
/// the sort is stable. Leaves the result in `data`; `room` is as long.
template <class E>
void sort_runs(E* data, E* room, index_t n) {
  int const threads = n >= 2 * smallest_run ? workers() : 1;
  index_t runs = 1;
  while (runs < threads && n / (2 * runs) >= smallest_run) runs *= 2;
  auto const edge = [&](index_t r) { return n / runs * r + min(n % runs, r); };
  run_ranges(runs, 1, [&](index_t begin, index_t end, scratch&) {
    for (index_t r = begin; r < end; ++r) std::stable_sort(data + edge(r), data + edge(r + 1));
  });
  E *from = data, *to = room;
  for (index_t width = 1; width < runs; width *= 2) {
    run_ranges(n, smallest_run / 4, [&](index_t begin, index_t end, scratch&) {
      for (index_t r = 0; r < runs; r += 2 * width) {
        index_t const first = edge(r), middle = edge(min(r + width, runs)), last = edge(min(r + 2 * width, runs));
        index_t const low = max(begin, first), high = min(end, last);
        if (low >= high) continue;
        E const *const a = from + first, *const b = from + middle;
        index_t const na = middle - first, nb = last - middle;
        index_t const a0 = from_first(a, na, b, nb, low - first), a1 = from_first(a, na, b, nb, high - first);
        std::merge(a + a0, a + a1, b + (low - first - a0), b + (high - first - a1), to + low);
      }
    });
    std::swap(from, to);
  }
  if (from != data)
    run_ranges(n, smallest_run, [&](index_t begin, index_t end, scratch&) { std::copy(from + begin, from + end, data + begin); });
}

/// Sorts by rank what make(i) gives and hands the results to take(i, element).
template <class E, class Make, class Take>
void sort_elements(stream const& s, index_t n, Make make, Take take, source_location where) {
  buffer<E, backend> elements(s, n, memory::pooled, where), room(s, n, memory::pooled, where);
  run_ranges(n, smallest_run, [&](index_t begin, index_t end, scratch&) {
    for (index_t i = begin; i < end; ++i) elements.data()[i] = make(i);
  });
  sort_runs(elements.data(), room.data(), n);
  run_ranges(n, smallest_run, [&](index_t begin, index_t end, scratch&) {
    for (index_t i = begin; i < end; ++i) take(i, elements.data()[i]);
  });
}

}  // namespace

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where) {
  if constexpr (std::is_integral_v<T>) {  // equal keys cannot be told apart: the rank is enough
    using word = word_of<T>;
    constexpr word sign = std::is_signed_v<T> ? word(word(1) << (8 * sizeof(T) - 1)) : word(0);
    sort_elements<word>(
        s, n, [&](index_t i) { return sort_rank(keys[i], descending); },
        [&](index_t i, word rank) { keys[i] = static_cast<T>((descending ? word(~rank) : rank) ^ sign); }, where);
  } else {
    using element = ranked<word_of<T>, T>;
    sort_elements<element>(
        s, n,
        [&](index_t i) {
          return element{sort_rank(keys[i], descending), keys[i]};
        },
        [&](index_t i, element const& e) { keys[i] = e.payload; }, where);
  }
}

namespace {

template <class Place, class T, class V>
void sort_places(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  using element = ranked<word_of<T>, Place>;
  buffer<T, backend> old_keys(s, n, memory::pooled, where);
  buffer<V, backend> old_values(s, n, memory::pooled, where);
  sort_elements<element>(
      s, n,
      [&](index_t i) {
        old_keys.data()[i] = keys[i];
        old_values.data()[i] = values[i];
        return element{sort_rank(keys[i], descending), Place(i)};
      },
      [&](index_t i, element const& e) {
        keys[i] = old_keys.data()[e.payload];
        values[i] = old_values.data()[e.payload];
      },
      where);
}

}  // namespace

template <class T, class V>
void launch_sort_by_key(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  if (n >> 32 == 0)
    sort_places<std::uint32_t>(s, keys, values, n, descending, where);
  else
    sort_places<std::uint64_t>(s, keys, values, n, descending, where);
}

DOLMEN_EACH_NUMBER(DOLMEN_SORTS)

}  // namespace dolmen::cpu
