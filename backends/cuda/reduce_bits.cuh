// The library's minima, maxima, their positions, and its predicates, by one kernel for all types of one size.
// See ordered_bits.cuh.
#pragma once

#include "../../algorithms/reducers.hpp"
#include "ordered_bits.cuh"

namespace dolmen::cuda::impl::reduction {

using dolmen::detail::exact_t;
using dolmen::detail::word_of;

/// A reducer of flipped elements. `prepare` changes a word of a vector; lift_prepared takes what has been changed.
template <class T>
struct flipping {
  using first = T;
  using second = dolmen::detail::no_input;
  static constexpr bool commutative = true, built_in = true;

  element_bits<T> flip;

  DOLMEN_INLINE_FN constexpr std::uint32_t prepare(std::uint32_t word, int i) const { return word ^ flip.word(i); }
  DOLMEN_INLINE_FN constexpr T flipped_back(T x) const { return flipped(x, flip.one()); }
};

/// Maximum of T, and through `flip` minimum and maximum of all types that have its bits.
template <class T>
struct extreme_reducer : flipping<T> {
  using value = exact_t<T>;
  using narrow = value;
  using result = T;

  value initial;

  template <class U>
  DOLMEN_INLINE_FN constexpr U lift_prepared(index_t, T x) const {
    return static_cast<U>(x);
  }
  template <class U>
  DOLMEN_INLINE_FN constexpr U lift(index_t, T x) const {
    return static_cast<U>(flipped(x, this->flip.one()));
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    return maximum{}(a, b);
  }
  DOLMEN_INLINE_FN constexpr T finish(value v) const { return this->flipped_back(static_cast<T>(combine(initial, v))); }
  DOLMEN_INLINE_FN constexpr T nothing() const { return this->flipped_back(static_cast<T>(initial)); }
};

/// Minimum and maximum of T; signed and unsigned integers through `flip`.
template <class T>
struct both_reducer : flipping<T> {
  using base = dolmen::detail::minmax_reducer<T>;
  using value = typename base::value;
  using narrow = value;
  using result = min_max<T>;

  template <class U>
  DOLMEN_INLINE_FN constexpr U lift_prepared(index_t i, T x) const {
    return base::template lift<U>(i, x);
  }
  template <class U>
  DOLMEN_INLINE_FN constexpr U lift(index_t i, T x) const {
    return base::template lift<U>(i, flipped(x, this->flip.one()));
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    return base::combine(a, b);
  }
  DOLMEN_INLINE_FN constexpr result finish(value v) const {
    auto const r = base::finish(v);
    return {this->flipped_back(r.min), this->flipped_back(r.max)};
  }
  DOLMEN_INLINE_FN constexpr result nothing() const {
    auto const r = base::nothing();
    return {this->flipped_back(r.min), this->flipped_back(r.max)};
  }
};

/// The index of the maximum of T, and through `flip` of minimum and maximum of all types that have its bits.
template <class T>
struct place_reducer : flipping<T> {
  using base = dolmen::detail::arg_reducer<T, maximum>;
  using key_type = typename base::key_type;
  using key = typename base::key;
  using value = typename base::value;
  using narrow = value;
  using result = index_t;

  DOLMEN_INLINE_FN static constexpr bool before(key_type a, key_type b) { return base::before(a, b); }
  DOLMEN_INLINE_FN static constexpr bool is(key_type x, key_type extreme) { return base::is(x, extreme); }
  template <class U>
  DOLMEN_INLINE_FN constexpr U lift_prepared(index_t i, T x) const {
    return base::template lift<U>(i, x);
  }
  template <class U>
  DOLMEN_INLINE_FN constexpr U lift(index_t i, T x) const {
    return base::template lift<U>(i, flipped(x, this->flip.one()));
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    return base::combine(a, b);
  }
  DOLMEN_INLINE_FN static constexpr index_t finish(value v) { return base::finish(v); }
  DOLMEN_INLINE_FN static constexpr index_t nothing() { return base::nothing(); }
};

/// Counts elements with one of the bits `counted` (of floats all but the sign): T is an unsigned integer.
template <class T, class Result>
struct bits_reducer {
  using base = dolmen::detail::nonzero_reducer<T, Result>;
  using first = T;
  using second = dolmen::detail::no_input;
  using value = index_t;
  using narrow = std::int32_t;
  using result = Result;
  static constexpr bool commutative = true, built_in = true;

  element_bits<T> counted;
  base how;

  DOLMEN_INLINE_FN constexpr std::uint32_t prepare(std::uint32_t word, int i) const { return word & counted.word(i); }
  template <class U>
  DOLMEN_INLINE_FN constexpr U lift_prepared(index_t, T x) const {
    return static_cast<U>(x != 0);
  }
  template <class U>
  DOLMEN_INLINE_FN constexpr U lift(index_t, T x) const {
    return static_cast<U>((x & counted.one()) != 0);
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    return a + b;
  }
  DOLMEN_INLINE_FN constexpr Result finish(index_t v) const { return how.finish(v); }
  DOLMEN_INLINE_FN constexpr Result nothing() const { return how.nothing(); }
};

// The reducer that does the work of another.

template <class T, class V, class Op>
requires(std::same_as<Op, minimum> || std::same_as<Op, maximum>) auto serving(dolmen::detail::op_reducer<T, V, Op, T> const& r) {
  using ordered = ordered_t<T>;
  constexpr bool inverted = std::same_as<Op, minimum>;
  extreme_reducer<ordered> served{{element_bits<ordered>(flip_of<T>(inverted))}, {}};
  if constexpr (std::is_integral_v<T>)
    served.initial = flipped(static_cast<ordered>(r.initial), served.flip.one());
  else
    served.initial = inverted ? -r.initial : r.initial;
  return served;
}

template <class R>
R serving(R const& r) {
  return r;
}
/// Sums and products of 64 bits wrap: those of signed integers have the bits of the unsigned ones'.
template <class Op>
requires(std::same_as<Op, plus> ||
         std::same_as<Op, multiplies>) auto serving(dolmen::detail::op_reducer<std::int64_t, std::int64_t, Op> const& r) {
  return dolmen::detail::op_reducer<std::uint64_t, std::uint64_t, Op>{std::uint64_t(r.initial)};
}
inline auto serving(dolmen::detail::dot_reducer<std::int64_t, std::int64_t> const&) {
  return dolmen::detail::dot_reducer<std::uint64_t, std::uint64_t>{};
}
template <class T>
auto serving(dolmen::detail::minmax_reducer<T> const&) {
  using ordered = ordered_t<T>;
  return both_reducer<ordered>{{element_bits<ordered>(flip_of<T>(false))}};
}
template <class T, class Op>
auto serving(dolmen::detail::arg_reducer<T, Op> const&) {
  using ordered = ordered_t<T>;
  return place_reducer<ordered>{{element_bits<ordered>(flip_of<T>(std::same_as<Op, minimum>))}};
}
template <class T, class Result>
auto serving(dolmen::detail::nonzero_reducer<T, Result> const& r) {
  using word = word_of<T>;
  constexpr word counted = std::is_integral_v<T> ? word(~word(0)) : word(~sign_bit<T>);
  return bits_reducer<word, Result>{element_bits<word>(counted), {r.what, r.n}};
}

}  // namespace dolmen::cuda::impl::reduction
