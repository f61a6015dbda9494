// Random data that is a pure function of seed and index, so that threads fill arrays in any order.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../host_array.hpp"

namespace study {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) of a counter.
inline std::uint64_t random_bits(std::uint64_t seed, index_t i) {
  std::uint64_t z = (seed << 48) + (std::uint64_t(i) + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Uniform in [-1, 1] for floating point, in the whole range for integers.
template <class T>
T random_value(std::uint64_t seed, index_t i) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random_bits(seed, i));
  else  // 53 random bits, rounded to T: sums of two such floats are seldom exact, so that results have rounding errors
    return T(double(std::int64_t(random_bits(seed, i) >> 11) - (std::int64_t(1) << 52)) * 0x1p-52);
}

template <class T>
host_array<T> random_array(std::uint64_t seed, index_t n) {
  host_array<T> a(n);
  T* const data = a.data();
#pragma omp parallel for
  for (index_t i = 0; i < n; ++i) data[i] = random_value<T>(seed, i);
  return a;
}

}  // namespace study
