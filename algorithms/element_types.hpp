// The element types that algorithms come for, and the names by which their bodies know them.
#pragma once

#include "../core/half.hpp"
#include "../core/layout.hpp"

// M(type) for each, where a body is instantiated.
#define DOLMEN_EACH_INTEGER(M) \
  M(std::int8_t) M(std::int16_t) M(std::int32_t) M(std::int64_t) M(std::uint8_t) M(std::uint16_t) M(std::uint32_t) M(std::uint64_t)
#define DOLMEN_EACH_FLOAT(M) M(float) M(double) M(::dolmen::half) M(::dolmen::bfloat16)
#define DOLMEN_EACH_NUMBER(M) DOLMEN_EACH_INTEGER(M) DOLMEN_EACH_FLOAT(M)

namespace dolmen::detail {

/// The type by which bodies know elements of T: long, long long and char are other names of integers of their width.
template <class T>
struct body_type {
  using type = T;
};
template <std::integral T>
requires(!std::same_as<T, bool>) struct body_type<T> {
  static constexpr bool is_signed = std::is_signed_v<T>;
  using byte = std::conditional_t<is_signed, std::int8_t, std::uint8_t>;
  using half = std::conditional_t<is_signed, std::int16_t, std::uint16_t>;
  using word = std::conditional_t<is_signed, std::int32_t, std::uint32_t>;
  using wide = std::conditional_t<is_signed, std::int64_t, std::uint64_t>;
  using type =
      std::conditional_t<sizeof(T) == 1, byte, std::conditional_t<sizeof(T) == 2, half, std::conditional_t<sizeof(T) == 4, word, wide>>>;
};
template <class T>
using body_t = typename body_type<T>::type;

/// Integers of 8 to 64 bits under any of their names, bool not among them.
template <class T>
concept integer_element = std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8;
/// float, double, half, bfloat16.
template <class T>
concept float_element = std::same_as<T, float> || std::same_as<T, double> || half_type<T>;
template <class T>
concept number_element = integer_element<T> || float_element<T>;

/// The same elements by the name that bodies know.
template <class T>
auto as_body(strided<T> const& s) {
  using named = body_t<std::remove_const_t<T>>;
  using body = std::conditional_t<std::is_const_v<T>, named const, named>;
  return strided<body>{reinterpret_cast<body*>(s.data), {s.extent[0], s.extent[1], s.extent[2]}, {s.stride[0], s.stride[1]}};
}

}  // namespace dolmen::detail
