// Initial values of reductions and scans: each counts as if it stood before the elements. The type in which is computed holds it,
// or the call refuses it; it is never cut off. The same for bounds and limits.
#pragma once

#include "../core/require.hpp"
#include "element_types.hpp"

namespace dolmen::detail {

/// In what elements of type T are added or multiplied; bool counts as a number there.
template <class T>
struct sum_type {
  using type = T;
};
template <std::signed_integral T>
struct sum_type<T> {
  using type = std::int64_t;
};
template <std::unsigned_integral T>
struct sum_type<T> {
  using type = std::uint64_t;
};
template <>
struct sum_type<bool> {
  using type = std::int64_t;
};
template <half_type T>
struct sum_type<T> {
  using type = float;
};

/// The type of a reduction of values of type T that starts with an Initial:
///   integers                                  that of the two which holds all values of the other; else the elements'
///   floating-point numbers                    the wider; float for half and bfloat16
///   floating-point elements, integer initial  the elements'
///   integer elements, floating-point initial  the initial value's if it holds all of the integers; else double
///   others                                    their common type; else the initial value's
template <class T, class Initial>
struct joint_type {
  using type = Initial;
};
template <class T, class Initial>
requires(!(number<T> && number<Initial>)&&requires { typename std::common_type_t<T, Initial>; }) struct joint_type<T, Initial> {
  using type = std::common_type_t<T, Initial>;
};
template <number T, number Initial>
struct joint_type<T, Initial> {
  using start = std::conditional_t<std::same_as<Initial, long double>, double, Initial>;
  static constexpr bool is_left = holds_all<T, start>() || (!holds_all<start, T>() && std::is_integral_v<start>);
  using wide = std::conditional_t<std::is_integral_v<T>, double, float>;
  using type = std::conditional_t<is_left, T, std::conditional_t<holds_all<start, T>(), start, wide>>;
};
template <class T>
struct joint_type<T, T> {
  using type = T;
};
template <class T, class Initial>
using joint_t = typename joint_type<T, Initial>::type;

/// The initial value in the type that is computed in. Throws invalid_argument for a number that this type does not have.
template <class V, class Initial>
V started_with(Initial const& initial, char const* operation, source_location where) {
  if constexpr (number<V> && number<Initial>) {
    using shown = std::conditional_t<std::is_integral_v<Initial>, Initial, double>;
    require(holds_value<V>(initial), where, operation, ": the initial value ", +static_cast<shown>(initial), " is not exactly one of ",
            number_name<V>(), ", in which the result is computed; an initial value counts as if it stood before the elements");
  }
  return static_cast<V>(initial);
}

/// A bound or limit in V. One of integers is exact: throws invalid_argument for a number that V does not have, such as -1 for an
/// unsigned type. One of floating-point numbers is rounded to V.
template <number V, number Bound>
V bound_in(Bound bound, char const* operation, char const* what, source_location where) {
  if constexpr (std::is_integral_v<V>) {
    using shown = std::conditional_t<std::is_integral_v<Bound>, Bound, double>;
    require(holds_value<V>(bound), where, operation, ": the ", what, ' ', +static_cast<shown>(bound), " is not exactly one of ",
            number_name<V>(), ", which these elements have");
  }
  return static_cast<V>(bound);
}

}  // namespace dolmen::detail
