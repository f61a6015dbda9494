// What is large: more elements than 31 bits count, on a GPU than 32.
#pragma once

#include "../backends.hpp"

#include "../support/data.hpp"

namespace testing {

template <class B>
inline constexpr int large_bits = is_cpu<B> ? 31 : 32;
template <class B>
inline constexpr index_t many = (index_t(1) << large_bits<B>)+12345;

/// Of a matrix of as many elements.
template <class B>
inline constexpr index_t rows = is_cpu<B> ? 47000 : 66000;
template <class B>
inline constexpr index_t columns = is_cpu<B> ? 46000 : 65600;

}  // namespace testing
