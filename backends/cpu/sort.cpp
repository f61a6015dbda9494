#include "sort.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "engine.hpp"
#include "sort_run.hpp"

namespace dolmen::cpu {

using dolmen::detail::sort_rank;
using dolmen::detail::word_of;

namespace {

constexpr index_t smallest_range = 1 << 17;  // keys for which a thread is worth while
template <class S>
constexpr index_t least_counted = sizeof(S) == 1 ? 1 << 10 : 1 << 17;  // small keys: fewer are sorted by their digits

/// Ranks of keys as signed integers: ascending for both orders of the sort. One for integers of a size and sign, one for floats.
template <class S, bool Floats>
struct rank_order {
  S flip;  // what the order asks for

  static S fold(S x) {  // negative floats run backwards as integers; folds back too
    if constexpr (!Floats) return x;
    return S(x ^ ((x >> (8 * sizeof(S) - 1)) & std::numeric_limits<S>::max()));
  }
  S rank(S bits) const { return S(fold(bits) ^ flip); }
  S bits(S rank) const { return fold(S(rank ^ flip)); }
};

template <class S>
void sort_ranks(stream const& s, S* ranks, index_t n, source_location where) {
  if constexpr (sizeof(S) <= 2)
    if (n >= least_counted<S>) return sort_by_counting(s, ranks, n, where);
  sort_elements(s, ranks, n, {0, sizeof(S)}, where);
}

/// A few keys, by ranks that are equal where the order does not tell keys apart.
template <class S, bool Floats>
void sort_few(std::byte* keys, int n, S infinity, rank_order<S, Floats> order) {
  constexpr S magnitude = std::numeric_limits<S>::max();
  S bits[most_compared<S>], ranks[most_compared<S>] = {};
  std::memcpy(bits, keys, std::size_t(n) * sizeof(S));
  for (int i = 0; i < n; ++i) {
    ranks[i] = order.rank(bits[i]);
    if constexpr (Floats) {
      S const size = S(bits[i] & magnitude);
      ranks[i] = size > infinity ? magnitude : size == 0 ? order.rank(0) : ranks[i];
    }
  }
  S falls = 0, stays = 0;
  for (int i = 1; i < n; ++i) {
    falls = S(falls | (ranks[i] < ranks[i - 1] ? 1 : 0));
    stays = S(stays | (ranks[i] < ranks[i - 1] ? 0 : 1));
  }
  if (falls == 0) return;
  if (stays == 0) {
    std::reverse(bits, bits + n);
    std::memcpy(keys, bits, std::size_t(n) * sizeof(S));
    return;
  }
  std::uint8_t positions[most_compared<S>];
  find_positions(ranks, n, positions);
  for (int i = 0; i < n; ++i) std::memcpy(keys + positions[i] * sizeof(S), &bits[i], sizeof(S));
}

/// Equal integers cannot be told apart.
template <class S>
void sort_integers(stream const& s, S* keys, index_t n, S flip, source_location where) {
  if (n <= most_compared<S>) return sort_few(reinterpret_cast<std::byte*>(keys), int(n), S(0), rank_order<S, false>{flip});
  auto const turn = [&] {
    if (flip == 0) return;
    run_ranges(n, smallest_range, [=](index_t begin, index_t end, scratch&) {
      for (index_t i = begin; i < end; ++i) keys[i] = S(keys[i] ^ flip);
    });
  };
  turn();
  sort_ranks(s, keys, n, where);
  turn();
}

template <class S>
S bits_at(std::byte const* keys, index_t i) {
  S bits;
  std::memcpy(&bits, keys + i * index_t(sizeof(S)), sizeof(S));
  return bits;
}

/// What is told apart although the order does not: zeros and NaNs, in the order in which they were.
template <class S>
struct apart {
  buffer<S, backend> zeros, nans;
};

/// Takes the NaNs out of the ranks, and notes them and the zeros.
template <class S>
apart<S> set_apart(stream const& s, std::byte const* keys, S* ranks, index_t n, S infinity, rank_order<S, true> order,
                   source_location where) {
  constexpr S magnitude = std::numeric_limits<S>::max();
  int const parts = n >= 2 * smallest_range ? workers() : 1;
  struct place {
    index_t zeros, nans;
  };
  buffer<place, backend> table(s, parts + 1, memory::pooled, where);
  place* const starts = table.data();
  auto const edge = [&](index_t p) { return n / parts * p + min(n % parts, p); };
  run_ranges(parts, 1, [&](index_t begin, index_t end, scratch&) {
    for (index_t p = begin; p < end; ++p) {
      place counts{0, 0};
      for (index_t i = edge(p); i < edge(p + 1); ++i) {
        S const size = S(bits_at<S>(keys, i) & magnitude);
        counts.zeros += size == 0;
        counts.nans += size > infinity;
      }
      starts[p] = counts;
    }
  });
  place total{0, 0};
  for (int p = 0; p < parts; ++p) {
    place const counts = std::exchange(starts[p], total);
    total = {total.zeros + counts.zeros, total.nans + counts.nans};
  }
  apart<S> result{{s, total.zeros, memory::pooled, where}, {s, total.nans, memory::pooled, where}};
  run_ranges(parts, 1, [&](index_t begin, index_t end, scratch&) {
    for (index_t p = begin; p < end; ++p) {
      S *zero = result.zeros.data() + starts[p].zeros, *nan = result.nans.data() + starts[p].nans;
      S* to = ranks + edge(p) - starts[p].nans;
      for (index_t i = edge(p); i < edge(p + 1); ++i) {
        S const bits = bits_at<S>(keys, i), size = S(bits & magnitude);
        if (size > infinity) {
          *nan++ = bits;
          continue;
        }
        if (size == 0) *zero++ = bits;
        *to++ = order.rank(bits);
      }
    }
  });
  return result;
}

/// ranks[i] = that of key i; false if there are NaNs or negative zeros among them.
template <class S>
bool rank_numbers(std::byte const* keys, index_t n, S infinity, rank_order<S, true> order, S* __restrict__ ranks) {
  constexpr S magnitude = std::numeric_limits<S>::max(), minus_zero = std::numeric_limits<S>::min();
  S largest = 0, minus = 0;
  for (index_t i = 0; i < n; ++i) {
    S const bits = bits_at<S>(keys, i), size = S(bits & magnitude);
    largest = size > largest ? size : largest;
    minus = S(minus | (bits == minus_zero ? -1 : 0));
    ranks[i] = order.rank(bits);
  }
  return largest <= infinity && minus == 0;
}

template <class S>
void keys_of_ranks(S const* __restrict__ ranks, index_t n, rank_order<S, true> order, std::byte* __restrict__ keys) {
  for (index_t i = 0; i < n; ++i) {
    S const bits = order.bits(ranks[i]);
    std::memcpy(keys + i * index_t(sizeof(S)), &bits, sizeof(S));
  }
}

template <class S>
void sort_floats(stream const& s, std::byte* keys, index_t n, S infinity, bool descending, source_location where) {
  rank_order<S, true> const order{S(descending ? -1 : 0)};
  if (n <= most_compared<S>) return sort_few(keys, int(n), infinity, order);
  constexpr index_t size = sizeof(S);
  buffer<S, backend> rank_memory(s, n, memory::pooled, where);
  S* const ranks = rank_memory.data();
  std::atomic<bool> special{false};
  run_ranges(n, smallest_range, [&](index_t begin, index_t end, scratch&) {
    if (!rank_numbers(keys + begin * size, end - begin, infinity, order, ranks + begin)) special = true;
  });
  apart<S> kept;
  if (special) kept = set_apart(s, keys, ranks, n, infinity, order, where);
  index_t const numbers = n - kept.nans.size();
  sort_ranks(s, ranks, numbers, where);
  run_ranges(numbers, smallest_range,
             [&](index_t begin, index_t end, scratch&) { keys_of_ranks(ranks + begin, end - begin, order, keys + begin * size); });
  auto const store = [&](index_t to, S const* from, index_t count) {
    if (count > 0) std::memcpy(keys + to * size, from, std::size_t(count * size));
  };
  S const first_zero = min(order.rank(0), order.rank(std::numeric_limits<S>::min()));
  store(std::lower_bound(ranks, ranks + numbers, first_zero) - ranks, kept.zeros.data(), kept.zeros.size());
  store(numbers, kept.nans.data(), kept.nans.size());
}

}  // namespace

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where) {
  using S = std::make_signed_t<word_of<T>>;
  if constexpr (std::is_integral_v<T>) {
    constexpr S sign = std::is_signed_v<T> ? S(0) : std::numeric_limits<S>::min();
    sort_integers(s, reinterpret_cast<S*>(keys), n, S(descending ? ~sign : sign), where);
  } else {
    S const infinity = S(dolmen::detail::bits_of(T(std::numeric_limits<float>::infinity())));
    sort_floats(s, reinterpret_cast<std::byte*>(keys), n, infinity, descending, where);
  }
}

namespace {

/// Keys and values of some bytes.
struct pairs {
  char *keys, *values;
  int key_bytes, value_bytes;
  index_t n;
};

// A rank of up to 32 bits and an index of 32 bits fit an integer, whose upper half alone is to be sorted by.
std::int64_t element_of(std::uint32_t rank, index_t i, std::int64_t) { return std::int64_t(std::uint64_t(rank) << 32 | std::uint64_t(i)); }
template <class Rank>
ranked element_of(Rank rank, index_t i, ranked) {
  return {std::int64_t(std::uint64_t(rank) ^ std::uint64_t(1) << 63), i};
}
index_t index_of(std::int64_t e) { return index_t(e & 0xffffffff); }
index_t index_of(ranked const& e) { return e.index; }

template <class E>
using rank_function = void (*)(void const*, index_t, index_t, bool, E*);

/// Elements [begin, end) of ranks and indices.
template <class T, class E>
void rank_keys(void const* keys, index_t begin, index_t end, bool descending, E* to) {
  auto const* const from = static_cast<T const*>(keys);
  for (index_t i = begin; i < end; ++i) {
    auto const rank = sort_rank(from[i], descending);
    if constexpr (sizeof(E) == 8)
      to[i] = element_of(sizeof(T) == 4 ? std::uint32_t(rank) ^ std::uint32_t(1) << 31 : std::uint32_t(rank), i, E());
    else
      to[i] = element_of(rank, i, E());
  }
}

/// to[i] = from[where elements[i] says], for elements of some bytes.
template <class E, int Bytes>
void gather(char* to, char const* from, E const* elements, index_t begin, index_t end) {
  for (index_t i = begin; i < end; ++i) std::memcpy(to + i * Bytes, from + index_of(elements[i]) * Bytes, Bytes);
}
template <class E>
using gather_function = void (*)(char*, char const*, E const*, index_t, index_t);
template <class E>
gather_function<E> gather_of(int bytes) {
  switch (bytes) {
    case 1:
      return gather<E, 1>;
    case 2:
      return gather<E, 2>;
    case 4:
      return gather<E, 4>;
    case 8:
      return gather<E, 8>;
    default:
      return gather<E, 16>;
  }
}

template <class E>
void sort_pairs(stream const& s, pairs const& p, bool descending, rank_function<E> rank, source_location where) {
  buffer<E, backend> element_memory(s, p.n, memory::pooled, where);
  buffer<std::byte, backend> key_copies(s, p.n * p.key_bytes, memory::pooled, where),
      value_copies(s, p.n * p.value_bytes, memory::pooled, where);
  E* const elements = element_memory.data();
  char* const old_keys = reinterpret_cast<char*>(key_copies.data());
  char* const old_values = reinterpret_cast<char*>(value_copies.data());
  auto const keep = [](char* to, char const* from, index_t begin, index_t end, int bytes) {
    std::memcpy(to + begin * bytes, from + begin * bytes, std::size_t(end - begin) * std::size_t(bytes));
  };
  run_ranges(p.n, smallest_range, [&](index_t begin, index_t end, scratch&) {
    keep(old_keys, p.keys, begin, end, p.key_bytes);
    keep(old_values, p.values, begin, end, p.value_bytes);
    rank(p.keys, begin, end, descending, elements);
  });
  int const lowest = sizeof(E) == 8 ? 4 : 0;
  sort_elements(s, elements, p.n, {lowest, lowest + p.key_bytes}, where);
  auto const keys = gather_of<E>(p.key_bytes), values = gather_of<E>(p.value_bytes);
  constexpr index_t part = 1024;  // whose elements stay in the first cache
  run_ranges(p.n, smallest_range, [&](index_t begin, index_t end, scratch&) {
    for (index_t i = begin; i < end; i += part) {
      keys(p.keys, old_keys, elements, i, min(i + part, end));
      values(p.values, old_values, elements, i, min(i + part, end));
    }
  });
}

}  // namespace

template <class T, class V>
void launch_sort_by_key(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  pairs const p{reinterpret_cast<char*>(keys), reinterpret_cast<char*>(values), int(sizeof(T)), int(sizeof(V)), n};
  if constexpr (sizeof(T) <= 4)
    if (n >> 32 == 0) return sort_pairs<std::int64_t>(s, p, descending, rank_keys<T, std::int64_t>, where);
  sort_pairs<ranked>(s, p, descending, rank_keys<T, ranked>, where);
}

DOLMEN_EACH_NUMBER(DOLMEN_SORTS)

}  // namespace dolmen::cpu
