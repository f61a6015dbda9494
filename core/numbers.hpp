// Numbers of different types together: which type holds both, and whether a type holds a value.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "config.hpp"

namespace dolmen {

/// float and double; half and bfloat16 join them in half.hpp.
template <class T>
inline constexpr bool is_floating_v = std::is_floating_point_v<T>;

namespace detail {

template <class T>
concept number = std::is_arithmetic_v<T> || is_floating_v<T>;

/// Whether every value of Part is one of Whole.
template <number Whole, number Part>
consteval bool holds_all() {
  using whole = std::numeric_limits<Whole>;
  using part = std::numeric_limits<Part>;
  if (part::digits > whole::digits) return false;
  if constexpr (std::is_integral_v<Whole>) return std::is_integral_v<Part> && (whole::is_signed || !part::is_signed);
  return std::is_integral_v<Part> || (part::max_exponent <= whole::max_exponent && part::min_exponent >= whole::min_exponent);
}

/// The first of the candidates that holds all values of A and B; void if none does.
template <class A, class B, class... Candidates>
struct first_to_hold {
  using type = void;
};
template <class A, class B, class First, class... Others>
struct first_to_hold<A, B, First, Others...> {
  using type = typename std::conditional_t<holds_all<First, A>() && holds_all<First, B>(), std::type_identity<First>,
                                           first_to_hold<A, B, Others...>>::type;
};
template <class A, class B>
using both_in = typename first_to_hold<A, B, A, B, int, std::int64_t, float, double>::type;

/// Whether x is below 0; no unsigned one is, and no compiler is to warn of the question.
template <class X>
DOLMEN_INLINE_FN constexpr bool is_negative(X const& x) {
  if constexpr (std::is_unsigned_v<X>)
    return false;
  else
    return x < 0;
}

/// Whether V has the value x exactly. NaN is a value of every floating-point type.
template <number V, number X>
DOLMEN_FN constexpr bool holds_value(X x) {
  using limits = std::numeric_limits<V>;
  if constexpr (holds_all<V, X>()) {
    return true;
  } else if constexpr (std::is_integral_v<X>) {
    std::uint64_t const size = is_negative(x) ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
    if constexpr (std::is_integral_v<V>) {
      constexpr std::uint64_t last = static_cast<std::uint64_t>(limits::max());
      return is_negative(x) ? std::is_signed_v<V> && size <= last + 1 : size <= last;
    } else {
      constexpr double last = static_cast<double>(limits::max());
      std::uint64_t odd = size;  // without its zeros below
      while (odd != 0 && (odd & 1) == 0) odd >>= 1;
      return odd >> limits::digits == 0 && static_cast<double>(size) <= last;
    }
  } else if constexpr (std::is_integral_v<V>) {
    constexpr X end = static_cast<X>(static_cast<double>(std::uint64_t(1) << (limits::digits - 1)) * 2);
    constexpr X begin = std::is_signed_v<V> ? static_cast<X>(-end) : static_cast<X>(0);
    return x >= begin && x < end && static_cast<X>(static_cast<V>(x)) == x;
  } else {
    using wide = std::common_type_t<double, X>;
    constexpr wide last = static_cast<wide>(limits::max()), infinity = static_cast<wide>(std::numeric_limits<double>::infinity());
    wide const value = static_cast<wide>(x);
    if (value != value) return true;
    wide const size = value < 0 ? -value : value;
    return size == infinity || (size <= last && static_cast<wide>(static_cast<V>(x)) == value);
  }
}

/// A number type's name for error texts.
template <number V>
constexpr char const* number_name() {
  if constexpr (std::is_same_v<V, bool>) return "bool";
  if constexpr (std::is_integral_v<V>) {
    constexpr char const* names[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t"};
    return names[(std::is_signed_v<V> ? 4 : 0) + (sizeof(V) == 1 ? 0 : sizeof(V) == 2 ? 1 : sizeof(V) == 4 ? 2 : 3)];
  }
  return sizeof(V) == 8 ? "double" : sizeof(V) == 4 ? "float" : std::numeric_limits<V>::digits == 11 ? "half" : "bfloat16";
}

/// The value behind what stands for an element: under the check backend an element is an object of its own.
template <class T>
struct value_of_reference {
  using type = T;
};
template <class T>
using value_behind = typename value_of_reference<std::remove_cvref_t<T>>::type;

// min and max are right for numbers of any two types. Each has a type that holds its result; comparisons are exact.
enum class end { least, greatest };

/// In which the least or the greatest of an A and a B is given.
template <end End, class A, class B>
struct extreme_of {  // one of them no number: the other is converted, as an argument is
  using type = std::conditional_t<std::is_convertible_v<B, A> && !(number<B> && std::is_convertible_v<A, B>), A, B>;
};
template <end End, class T>
struct extreme_of<End, T, T> {
  using type = T;
};
template <end End, number A, number B>
requires(!std::same_as<A, B>) struct extreme_of<End, A, B> {
  // No type holds all of an uint64_t and a signed one, but the least of them is no greater than the signed one, the greatest no
  // less than the unsigned one.
  static constexpr bool integers = std::is_integral_v<A> && std::is_integral_v<B>;
  using mixed = std::conditional_t<!integers, void, std::conditional_t<End == end::least, std::int64_t, std::uint64_t>>;
  using both = both_in<A, B>;
  using type = std::conditional_t<std::is_void_v<both>, mixed, both>;
  static_assert(!std::is_void_v<type>,
                "min, max: no type holds all values of a 64-bit integer and of a floating-point number: convert one of them");
};

/// a < b, whatever their types.
template <class A, class B>
DOLMEN_INLINE_FN constexpr bool less(A const& a, B const& b) {
  if constexpr (std::same_as<A, B> || !number<A> || !number<B>) {
    return a < b;
  } else if constexpr (!std::is_void_v<both_in<A, B>>) {
    using both = both_in<A, B>;
    return static_cast<both>(a) < static_cast<both>(b);
  } else if constexpr (std::is_signed_v<A>) {
    return a < 0 || static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
  } else {
    return b >= 0 && static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
  }
}

}  // namespace detail
}  // namespace dolmen
