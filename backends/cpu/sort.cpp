#include "sort.hpp"

#include <algorithm>
#include <cstring>

#include "engine.hpp"

namespace dolmen::cpu {

using dolmen::detail::sort_rank;
using dolmen::detail::word_of;

namespace {

constexpr index_t smallest_run = 32768;  // elements that one core sorts at least

/// What is sorted: a key's rank, and the key's bits where they cannot be told from that, or the key's place.
template <class Word>
struct ranked {
  Word rank, payload;
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

/// Sorts by rank what make(begin, end, elements) puts down and hands the results to take(begin, end, elements), range by range.
template <class E, class Make, class Take>
void sort_elements(stream const& s, index_t n, Make const& make, Take const& take, source_location where) {
  buffer<E, backend> elements(s, n, memory::pooled, where), room(s, n, memory::pooled, where);
  E* const data = elements.data();
  run_ranges(n, smallest_run, [&](index_t begin, index_t end, scratch&) { make(begin, end, data); });
  sort_runs(data, room.data(), n);
  run_ranges(n, smallest_run, [&](index_t begin, index_t end, scratch&) { take(begin, end, data); });
}

/// Integers: equal keys cannot be told apart, so that their order as unsigned numbers is enough: x ^ flip.
template <class Word>
void sort_words(stream const& s, Word* keys, index_t n, Word flip, source_location where) {
  sort_elements<Word>(
      s, n,
      [=](index_t begin, index_t end, Word* to) {
        for (index_t i = begin; i < end; ++i) to[i] = static_cast<Word>(keys[i] ^ flip);
      },
      [=](index_t begin, index_t end, Word const* from) {
        for (index_t i = begin; i < end; ++i) keys[i] = static_cast<Word>(from[i] ^ flip);
      },
      where);
}

// The ranks of keys, and how to get them; keys by their bits.
using rank_function = void (*)(void const*, index_t, index_t, bool, void*);

/// Elements [begin, end) of ranks with their keys, or with their places.
template <class T, class Word, bool Places>
void rank_keys(void const* keys, index_t begin, index_t end, bool descending, void* to) {
  auto const* const from = static_cast<T const*>(keys);
  auto* const elements = static_cast<ranked<Word>*>(to);
  for (index_t i = begin; i < end; ++i)
    elements[i] = {sort_rank(from[i], descending), Places ? static_cast<Word>(i) : static_cast<Word>(dolmen::detail::bits_of(from[i]))};
}

/// Floats.
template <class Word>
void sort_ranked(stream const& s, void* keys, index_t n, bool descending, rank_function rank, source_location where) {
  using element = ranked<Word>;
  sort_elements<element>(
      s, n, [=](index_t begin, index_t end, element* to) { rank(keys, begin, end, descending, to); },
      [=](index_t begin, index_t end, element const* from) {
        for (index_t i = begin; i < end; ++i)
          std::memcpy(static_cast<char*>(keys) + i * index_t(sizeof(Word)), &from[i].payload, sizeof(Word));
      },
      where);
}

}  // namespace

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where) {
  using word = word_of<T>;
  if constexpr (std::is_integral_v<T>) {
    constexpr word sign = std::is_signed_v<T> ? word(word(1) << (8 * sizeof(T) - 1)) : word(0);
    sort_words(s, reinterpret_cast<word*>(keys), n, descending ? word(~sign) : sign, where);
  } else {
    sort_ranked<word>(s, keys, n, descending, rank_keys<T, word, false>, where);
  }
}

namespace {

/// to[i] = from[where elements[i] says], for elements of some bytes.
template <class Word, int Bytes>
void gather(char* to, char const* from, ranked<Word> const* elements, index_t begin, index_t end) {
  for (index_t i = begin; i < end; ++i) std::memcpy(to + i * Bytes, from + index_t(elements[i].payload) * Bytes, Bytes);
}
template <class Word>
using gather_function = void (*)(char*, char const*, ranked<Word> const*, index_t, index_t);
template <class Word>
gather_function<Word> gather_of(int bytes) {
  switch (bytes) {
    case 1:
      return gather<Word, 1>;
    case 2:
      return gather<Word, 2>;
    case 4:
      return gather<Word, 4>;
    case 8:
      return gather<Word, 8>;
    default:
      return gather<Word, 16>;
  }
}

/// Keys and values of some bytes.
struct pairs {
  char *keys, *values;
  int key_bytes, value_bytes;
  index_t n;
};

template <class Word>
void sort_places(stream const& s, pairs const& p, bool descending, rank_function rank, source_location where) {
  using element = ranked<Word>;
  buffer<std::byte, backend> key_room(s, p.n * p.key_bytes, memory::pooled, where),
      value_room(s, p.n * p.value_bytes, memory::pooled, where);
  char* const old_keys = reinterpret_cast<char*>(key_room.data());
  char* const old_values = reinterpret_cast<char*>(value_room.data());
  auto const keys = gather_of<Word>(p.key_bytes), values = gather_of<Word>(p.value_bytes);
  auto const keep = [](char* to, char const* from, index_t begin, index_t end, int bytes) {
    std::memcpy(to + begin * bytes, from + begin * bytes, std::size_t(end - begin) * std::size_t(bytes));
  };
  constexpr index_t part = 1024;  // whose elements stay in the first cache
  sort_elements<element>(
      s, p.n,
      [&](index_t begin, index_t end, element* to) {
        keep(old_keys, p.keys, begin, end, p.key_bytes);
        keep(old_values, p.values, begin, end, p.value_bytes);
        rank(p.keys, begin, end, descending, to);
      },
      [&](index_t begin, index_t end, element const* from) {
        for (index_t i = begin; i < end; i += part) {
          keys(p.keys, old_keys, from, i, min(i + part, end));
          values(p.values, old_values, from, i, min(i + part, end));
        }
      },
      where);
}

}  // namespace

// Ranks and places have one width, so that elements come in two sizes.
template <class T, class V>
void launch_sort_by_key(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  pairs const p{reinterpret_cast<char*>(keys), reinterpret_cast<char*>(values), int(sizeof(T)), int(sizeof(V)), n};
  if constexpr (sizeof(T) <= 4)
    if (n >> 32 == 0) return sort_places<std::uint32_t>(s, p, descending, rank_keys<T, std::uint32_t, true>, where);
  sort_places<std::uint64_t>(s, p, descending, rank_keys<T, std::uint64_t, true>, where);
}

DOLMEN_EACH_NUMBER(DOLMEN_SORTS)

}  // namespace dolmen::cpu
