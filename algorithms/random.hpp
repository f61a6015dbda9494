// fill_uniform and fill_normal: random numbers that are a function of a seed and an index alone.
#pragma once

#include "initial.hpp"
#include "random_numbers.hpp"

namespace dolmen {

namespace detail {

/// Where in its sequence a filling begins, from any integer.
struct sequence_offset {
  std::uint64_t value;
  bool negative;
  template <std::integral I>
  constexpr sequence_offset(I i) : value(static_cast<std::uint64_t>(i)), negative(is_negative(i)) {}
};

/// The largest T below x.
template <class T>
T below(T x) {
  using word = word_of<T>;
  constexpr word sign = word(1) << (8 * sizeof(T) - 1);
  word const bits = bits_as<word>(x);
  if ((bits & static_cast<word>(~sign)) == 0) return bits_as<T>(static_cast<word>(sign | 1));
  return bits_as<T>(static_cast<word>((bits & sign) != 0 ? bits + 1 : bits - 1));
}

/// Integers are made as unsigned ones; lo wraps.
template <class T>
struct random_body {
  using type = T;
};
template <integer_element T>
struct random_body<T> {
  using type = std::make_unsigned_t<body_t<T>>;
};

template <class Stream, class T, int Rank, class Distribution>
void fill_random(Stream const& stream, char const* name, view<T, Rank> out, Distribution const& d, std::uint64_t seed,
                 sequence_offset offset, source_location where) {
  require(!offset.negative, where, name, ": the offset ", std::int64_t(offset.value), " is negative");
  using body = typename Distribution::element;
  auto const s = flat(out);
  if (s.size() == 0) return;
  strided<body> const target{reinterpret_cast<body*>(s.data), {s.extent[0], s.extent[1], s.extent[2]}, {s.stride[0], s.stride[1]}};
  launch_random(stream, name, target, d, random_sequence{seed, offset.value}, where);
}

}  // namespace detail

// Element i of `out`, in row-major order whatever its rank and strides, is number offset + i of the sequence that the seed
// names: filling in parts, with offsets, gives what filling at once gives. Numbers are the same, bit for bit, on every
// backend. They come from Philox4x32-10 with the seed as its key; the sequences of different seeds are independent, those of
// different functions or types from one seed are not. None of these synchronises, and any C++ compiler can call them.

/// Floating-point elements are uniform in [lo, hi): lo + u (hi - lo), rounded once, where u is a multiple of 2^-24 (double:
/// 2^-53); with lo == hi all are lo. half and bfloat16 take floats, which are rounded to the element type, and are computed in
/// float. Integers (8 to 64 bits, not bool) are uniform in [lo, hi], both included, without the bias of a remainder: no value
/// is more probable than it should be by more than a factor of 1 + 2^-24 for bytes, 1 + 2^-32 for others.
/// Throws invalid_argument, with both, unless lo <= hi and, for floating point, both and their difference are finite; for a bound that
/// integer elements do not have, such as -1 or 300 for uint8_t; and for a negative offset.
template <stream_type Stream, view_like Out, detail::number Low, detail::number High>
void fill_uniform(Stream const& stream, Out&& out, std::uint64_t seed, Low from, High to, detail::sequence_offset offset = 0,
                  source_location where = source_location::current()) {
  detail::require_handles("fill_uniform", where, stream, out);
  using T = detail::element_of<Out>;
  static_assert(detail::number_element<T>,
                "fill_uniform: the elements are integers of 8 to 64 bits (not bool), float, double, half or bfloat16");
  auto const lo = detail::bound_in<detail::random_scalar<T>>(from, "fill_uniform", "bound", where);
  auto const hi = detail::bound_in<detail::random_scalar<T>>(to, "fill_uniform", "bound", where);
  if constexpr (detail::integer_element<T>) {
    using body = typename detail::random_body<T>::type;
    detail::require(lo <= hi, where, "fill_uniform: the range [", +lo, ", ", +hi, "] is empty");
    auto const first = static_cast<std::uint64_t>(lo), span = static_cast<std::uint64_t>(hi) - first + 1;
    detail::fill_random(stream, "fill_uniform", detail::as_view(out), detail::uniform_integers<body>{first, span}, seed, offset, where);
  } else {
    using scalar = detail::random_scalar<T>;
    T const low = static_cast<T>(lo), high = static_cast<T>(hi);
    scalar const width = scalar(high) - scalar(low);
    detail::require(lo <= hi && width - width == 0, where, "fill_uniform: lo = ", lo, " and hi = ", hi,
                    " are no range: lo <= hi, both and their difference finite");
    scalar const top = low < high ? scalar(detail::below(high)) : scalar(low);
    detail::fill_random(stream, "fill_uniform", detail::as_view(out), detail::uniform_numbers<T>{scalar(low), width, top}, seed, offset,
                        where);
  }
}

/// Uniform in [0, 1).
template <stream_type Stream, view_like Out>
void fill_uniform(Stream const& stream, Out&& out, std::uint64_t seed, source_location where = source_location::current()) {
  detail::require_handles("fill_uniform", where, stream, out);
  static_assert(detail::float_element<detail::element_of<Out>>, "fill_uniform: integers want a range, lo and hi");
  fill_uniform(stream, out, seed, 0, 1, 0, where);
}

/// Normally distributed elements: mean + deviation z, rounded once, for pairs z of independent standard normal numbers by the
/// method of Box and Muller. float, half and bfloat16 are computed in float from 31 and 32 bits, so that |z| < 6.7, within
/// 2e-6 of the exact z; double from 52 bits each, |z| < 8.6, within 4e-15. half and bfloat16 take floats.
/// Throws invalid_argument unless mean and deviation are finite and deviation >= 0.
template <stream_type Stream, view_like Out>
void fill_normal(Stream const& stream, Out&& out, std::uint64_t seed,
                 std::type_identity_t<detail::random_scalar<detail::element_of<Out>>> mean = 0,
                 std::type_identity_t<detail::random_scalar<detail::element_of<Out>>> deviation = 1, detail::sequence_offset offset = 0,
                 source_location where = source_location::current()) {
  detail::require_handles("fill_normal", where, stream, out);
  using T = detail::element_of<Out>;
  static_assert(detail::float_element<T>, "fill_normal: the elements are float, double, half or bfloat16");
  detail::require(mean - mean == 0 && deviation - deviation == 0 && deviation >= 0, where, "fill_normal: the mean, ", mean,
                  ", and the deviation, ", deviation, ", must be finite, and the deviation not negative");
  detail::fill_random(stream, "fill_normal", detail::as_view(out), detail::normal_numbers<T>{mean, deviation}, seed, offset, where);
}

}  // namespace dolmen
