// Values and operators of a user's own, for reductions and scans. Those that are strict complain of every call that the
// documentation rules out, also of one whose result nobody looks at.
#pragma once

#include <dolmen/core/half.hpp>
#include <dolmen/core/operators.hpp>
#include <dolmen/core/view.hpp>

namespace test_warps {

using namespace dolmen;

/// 2 x 2 matrices of numbers below a prime: associative, not commutative. 16 bytes.
struct matrix {
  std::uint32_t a, b, c, d;
};
struct matrix_product {
  static constexpr std::uint64_t prime = 65521;
  DOLMEN_FN matrix operator()(matrix const& x, matrix const& y) const {
    auto const dot = [](std::uint64_t p, std::uint64_t q, std::uint64_t r, std::uint64_t s) {
      return std::uint32_t((p * q + r * s) % prime);
    };
    return {dot(x.a, y.a, x.b, y.c), dot(x.a, y.b, x.b, y.d), dot(x.c, y.a, x.d, y.c), dot(x.c, y.b, x.d, y.d)};
  }
};

/// The map x -> scale x + shift modulo 2^64: first `f`, then `g`. 16 bytes of 8.
struct affine {
  std::uint64_t scale, shift;
};
struct first_then {
  DOLMEN_FN affine operator()(affine f, affine g) const { return {f.scale * g.scale, g.scale * f.shift + g.shift}; }
};

/// A run of neighbours. Joining what does not meet is a mistake. 12 bytes.
struct run {
  int first, last, count;
};
struct strict_join {
  view<int> complaints;
  DOLMEN_FN run operator()(run const& x, run const& y) const {
    if (x.last + 1 != y.first) complaints(0) = 1;
    return {x.first, y.last, x.count + y.count};
  }
};

/// Sets of small numbers, 32 a word. Uniting what is empty, or what has a common element, is a mistake. 20 or 48 bytes.
template <int Words>
struct small_set {
  std::uint32_t words[Words];
};
template <int Words>
struct strict_union {
  static constexpr bool commutative = true;
  view<int> complaints;
  DOLMEN_FN small_set<Words> operator()(small_set<Words> const& x, small_set<Words> const& y) const {
    small_set<Words> both;
    std::uint32_t common = 0, in_x = 0, in_y = 0;
    for (int i = 0; i < Words; ++i) {
      common |= x.words[i] & y.words[i];
      in_x |= x.words[i];
      in_y |= y.words[i];
      both.words[i] = x.words[i] | y.words[i];
    }
    if (common != 0 || in_x == 0 || in_y == 0) complaints(0) = 1;
    return both;
  }
};

/// Element by element.
template <class T, int N>
struct add_elements {
  static constexpr bool commutative = true;
  DOLMEN_FN array<T, N> operator()(array<T, N> const& x, array<T, N> const& y) const {
    array<T, N> sum;
    for (int i = 0; i < N; ++i) sum[i] = x[i] + y[i];
    return sum;
  }
};

/// Float sums that are taken in the order of the lanes.
struct ordered_plus {
  DOLMEN_FN float operator()(float x, float y) const { return x + y; }
};

}  // namespace test_warps
