// Sorting by one thread: vectorised quicksort of the library Highway where the build found it, else by digits.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sort_elements.hpp"

#if DOLMEN_HAS_HIGHWAY
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace dolmen::cpu {

inline std::int64_t key_of(ranked const& e) { return e.rank; }
template <std::signed_integral E>
E key_of(E e) {
  return e;
}
template <class E>
using key_type = decltype(key_of(E()));

/// True if Highway sorts such elements, and faster than their digits do: its sort of 16-bit integers is slower than std::sort,
/// and one or two digits are sorted faster.
template <class E>
bool by_highway([[maybe_unused]] digit_range digits) {
#if DOLMEN_HAS_HIGHWAY  // which takes half a microsecond before it begins
  return std::is_integral_v<E> && sizeof(E) >= 4 && digits.last - digits.first > 2;
#else
  return false;
#endif
}

template <class E>
int digit_of(E const& e, int digit) {
  using word = std::make_unsigned_t<key_type<E>>;
  constexpr word sign = word(word(1) << (8 * sizeof(word) - 1));
  return int((word(word(key_of(e)) ^ sign) >> (8 * digit)) & 0xff);
}

/// Stable radix sort from the lowest digit up, without the digits that all elements share. Leaves the result in `data`;
/// `other` is as long.
template <class E>
void sort_digits(E* data, E* other, index_t n, digit_range digits) {
  constexpr int most = int(sizeof(key_type<E>));
  index_t starts[most][256] = {};
  for (index_t i = 0; i < n; ++i)
    for (int d = 0; d < most; ++d)
      if (d >= digits.first && d < digits.last) ++starts[d][digit_of(data[i], d)];
  E *from = data, *to = other;
  for (int d = digits.first; d < digits.last; ++d) {
    index_t* const next = starts[d];
    if (next[digit_of(from[0], d)] == n) continue;
    index_t start = 0;
    for (int k = 0; k < 256; ++k) start += std::exchange(next[k], start);
    for (index_t i = 0; i < n; ++i) to[next[digit_of(from[i], d)]++] = from[i];
    std::swap(from, to);
  }
  if (from != data) std::copy(from, from + n, data);
}

/// So few integers are sorted by comparing each with each, which takes no branches.
template <class S>
inline constexpr int most_compared = sizeof(S) <= 2   ? 128
                                     : sizeof(S) == 4 ? 64
                                                      : 48;

/// positions[i] is the number of those below keys[i], and of its equals before. `keys` has most_compared elements, of which the
/// first n count.
template <class S>
void find_positions(S const* keys, int n, std::uint8_t* positions) {
  constexpr int lanes = 32 / sizeof(S);
  typedef S vector __attribute__((vector_size(32)));
  for (int first = 0; first < n; first += lanes) {
    S indices[lanes];
    for (int l = 0; l < lanes; ++l) indices[l] = S(first + l);
    vector mine, index, below = {};
    std::memcpy(&mine, keys + first, sizeof(mine));
    std::memcpy(&index, indices, sizeof(index));
    for (int i = 0; i < n; ++i) {
      vector const other = keys[i] - vector{};
      below -= (mine > other) | ((mine == other) & (index > S(i)));
    }
    for (int l = 0; l < lanes; ++l) positions[first + l] = static_cast<std::uint8_t>(below[l]);
  }
}

template <class S>
void sort_compared(S* data, int n) {
  S keys[most_compared<S>];
  std::uint8_t positions[most_compared<S>];
  std::copy(data, data + n, keys);
  std::fill(keys + n, keys + most_compared<S>, S(0));
  find_positions(keys, n, positions);
  for (int i = 0; i < n; ++i) data[positions[i]] = keys[i];
}

// Of fewer, std::sort is faster than digits are.
template <class E>
inline constexpr index_t least_by_digits = 32 * sizeof(key_type<E>);

template <class E>
bool needs_other(index_t n, digit_range digits) {
  return !by_highway<E>(digits) && n >= least_by_digits<E>;
}

/// Sorts n elements where they are; `other`, memory for as many, is used if needs_other says so.
template <class E>
void sort_run(E* data, [[maybe_unused]] E* other, index_t n, digit_range digits) {
  if constexpr (std::is_integral_v<E>) {
    if (n <= most_compared<E>) return sort_compared(data, int(n));
#if DOLMEN_HAS_HIGHWAY
    if constexpr (sizeof(E) >= 4)
      if (by_highway<E>(digits)) return hwy::Sorter()(data, std::size_t(n), hwy::SortAscending());
#endif
  }
  if (needs_other<E>(n, digits))
    sort_digits(data, other, n, digits);
  else
    std::sort(data, data + n);
}

}  // namespace dolmen::cpu
