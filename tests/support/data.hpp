// Sizes and values of the tests.
#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <dolmen/core/types.hpp>

namespace testing {

using dolmen::index_t;

/// DOLMEN_TEST_SMALL=1: under a memory checker, where everything is slow. The check backend is one; =0 there: usual sizes.
inline bool small_sizes() {
#if defined(DOLMEN_CHECK)
  constexpr bool usual = true;
#else
  constexpr bool usual = false;
#endif
  char const* set = std::getenv("DOLMEN_TEST_SMALL");
  return set ? std::strcmp(set, "0") != 0 : usual;
}
inline index_t size_of(index_t usual, index_t small) { return small_sizes() ? small : usual; }

/// DOLMEN_TEST_FULL=1, as ./dev test --full sets it: every size with every type and place, not a set that covers each.
inline bool full_products() {
  char const* set = std::getenv("DOLMEN_TEST_FULL");
  return set && std::strcmp(set, "0") != 0;
}

/// The lengths at which algorithms are tested. Under checkers all but the two longest, which come up to `longest_small`.
inline std::vector<index_t> ladder(index_t longest_small = 4097) {
  std::vector<index_t> lengths;
  for (index_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 4097, 65537, 1000003})
    if (!small_sizes() || n <= longest_small) lengths.push_back(n);
  return lengths;
}

/// Floats in [-1, 1), integers over their whole range.
template <class T>
std::vector<T> random_values(index_t n, std::uint64_t seed = 1) {
  std::mt19937_64 next(seed);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (auto& v : values) {
    if constexpr (std::is_floating_point_v<T>)
      v = T(double(next() >> 11) * 0x1p-52 - 1.0);
    else
      v = static_cast<T>(next());
  }
  return values;
}

/// Whole numbers in [-8, 8]: sums and products of a few thousand of them are exact in float.
template <class T>
std::vector<T> whole_values(index_t n, std::uint64_t seed = 1) {
  std::mt19937_64 next(seed);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (auto& v : values) v = static_cast<T>(static_cast<int>(next() % 17) - 8);
  return values;
}

/// The larger one of two errors. NaN is an infinite error, which no later one hides: std::max and std::fmax would drop it.
template <class E>
E worse(E worst, E error) {
  return error <= worst ? worst : error > worst ? error : std::numeric_limits<E>::infinity();
}

template <class T>
constexpr T quiet_nan = std::numeric_limits<T>::quiet_NaN();

/// A record of N bytes with no alignment of its own.
template <int N>
struct bytes_of {
  unsigned char value[N];
  friend bool operator==(bytes_of const&, bytes_of const&) = default;
};

}  // namespace testing
