// index_t and the small vocabulary that kernels may use where the standard library is host-only.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "numbers.hpp"

namespace dolmen {

/// Sizes and indices: signed, 64 bits.
using index_t = std::int64_t;

/// What buffers, views and kernels may hold.
template <class T>
concept element_type = std::is_trivially_copyable_v<std::remove_const_t<T>> && !std::is_reference_v<T>;

namespace detail {

/// What a kernel, a body or a function object holds is copied to the device, so a reference would lead back to the host. No
/// trait asks for references; but a class that has them can be assigned as little as one with constants, and is in addition not
/// of standard layout.
template <class F>
inline constexpr bool holds_references = std::is_aggregate_v<F> && !std::is_copy_assignable_v<F> && !std::is_standard_layout_v<F>;

}  // namespace detail

/// Helpers that take anything stand where look-up through arguments does not go: there they would meet a program's own functions of
/// these names, and std::swap, which the standard algorithms call in that way.
namespace detail::by_name {
/// a / b, rounded up; b is positive. Right up to the ends of the types: nothing is added before the division. The result has the
/// type of a / b, and of a signed with an unsigned type one that holds all values of both, or uint64_t for one of 64 bits.
template <std::integral A, std::integral B>
DOLMEN_FN constexpr auto ceil_div(A a, B b) {
  using quotient = decltype(a / b);
  using both = std::conditional_t<std::is_signed_v<A> == std::is_signed_v<B>, quotient, detail::both_in<A, B>>;
  if constexpr (!std::is_void_v<both>) {
    both const x = static_cast<both>(a), y = static_cast<both>(b), whole = x / y, rest = x % y;
    return static_cast<decltype(x / y)>(whole + (rest != 0 && detail::is_negative(rest) == detail::is_negative(y)));
  } else {
    std::uint64_t const x = detail::is_negative(a) ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
    std::uint64_t const y = detail::is_negative(b) ? 0 - static_cast<std::uint64_t>(b) : static_cast<std::uint64_t>(b);
    return detail::is_negative(a) != detail::is_negative(b) ? 0 - x / y : x / y + (x % y != 0);
  }
}

/// The lesser of two, the first of equals. Numbers may have different types: they are compared by value, and the result has a type
/// that holds it: that of one of the two where it holds all of the other, int64_t for an int and an unsigned, double for an int and
/// a float. A 64-bit integer and a floating-point number do not compile.
template <class A, class B>
DOLMEN_FN constexpr auto min(A a, B b) {
  using result = typename detail::extreme_of<detail::end::least, detail::value_behind<A>, detail::value_behind<B>>::type;
  detail::value_behind<A> const x = static_cast<A&&>(a);
  detail::value_behind<B> const y = static_cast<B&&>(b);
  return detail::less(y, x) ? static_cast<result>(y) : static_cast<result>(x);
}

/// The greater of two, the first of equals; of an int64_t and a uint64_t a uint64_t. Else as min.
template <class A, class B>
DOLMEN_FN constexpr auto max(A a, B b) {
  using result = typename detail::extreme_of<detail::end::greatest, detail::value_behind<A>, detail::value_behind<B>>::type;
  detail::value_behind<A> const x = static_cast<A&&>(a);
  detail::value_behind<B> const y = static_cast<B&&>(b);
  return detail::less(x, y) ? static_cast<result>(y) : static_cast<result>(x);
}

template <class T>
DOLMEN_FN constexpr void swap(T& a, T& b) {
  T old = a;
  a = b;
  b = old;
}
}  // namespace detail::by_name
using namespace detail::by_name;

namespace types {

/// A fixed-size array that device code can use.
template <class T, int N>
struct array {
  T values[N];
  DOLMEN_FN constexpr T& operator[](int i) { return values[i]; }
  DOLMEN_FN constexpr T const& operator[](int i) const { return values[i]; }
  static DOLMEN_FN constexpr int size() { return N; }
  DOLMEN_FN constexpr T* begin() { return values; }
  DOLMEN_FN constexpr T* end() { return values + N; }
  DOLMEN_FN constexpr T const* begin() const { return values; }
  DOLMEN_FN constexpr T const* end() const { return values + N; }
  friend constexpr bool operator==(array const&, array const&) = default;
};

/// Extents that are known when compiling: the GPU unrolls and batches what it loads over such a space.
template <int... Sizes>
struct fixed {
  static_assert(sizeof...(Sizes) >= 1 && sizeof...(Sizes) <= 3 && ((Sizes >= 0) && ...));
};

/// N neighbouring elements that move in one access of N * sizeof(T) bytes.
template <class T, int N>
struct alignas(sizeof(T) * N) pack {
  static_assert((N & (N - 1)) == 0 && sizeof(T) * N <= 16 && sizeof(T) * N >= 2, "packs are 2, 4, 8 or 16 bytes wide");
  T values[N];
  DOLMEN_FN constexpr T& operator[](int i) { return values[i]; }
  DOLMEN_FN constexpr T const& operator[](int i) const { return values[i]; }
};

}  // namespace types

using types::array;
using types::fixed;
using types::pack;

/// The sizes of a rank 1, 2 or 3 space, slowest first: {planes, rows, columns}.
template <int Rank>
struct extents : array<index_t, Rank> {
  static_assert(Rank >= 1 && Rank <= 3, "Dolmen's views have rank 1, 2 or 3");
  /// The number of indices. What a view, a buffer or a launch was made with fits 64 bits: they refuse anything larger.
  DOLMEN_FN constexpr index_t volume() const {
    if (empty()) return 0;
    index_t n = 1;
    for (int d = 0; d < Rank; ++d) n *= (*this)[d];
    return n;
  }
  DOLMEN_FN constexpr bool empty() const {
    for (int d = 0; d < Rank; ++d)
      if ((*this)[d] == 0) return true;
    return false;
  }
  /// False if an extent is negative or the number of indices is beyond 64 bits.
  DOLMEN_FN constexpr bool countable() const {
    if constexpr (Rank == 1) return (*this)[0] >= 0;
    index_t n = 1;
    for (int d = 0; d < Rank; ++d) {
      index_t const extent = (*this)[d];
      if (extent < 0 || (!empty() && n > INT64_MAX / extent)) return false;
      n *= empty() ? 1 : extent;
    }
    return true;
  }
};
template <class... Sizes>
extents(Sizes...) -> extents<int(sizeof...(Sizes))>;

}  // namespace dolmen
