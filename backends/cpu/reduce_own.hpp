// The library's own reductions under fewer types: bodies of the CPU come once for what differs by a mask or by a name alone. Only
// reduce_*.cpp include this.
#pragma once

#include "../../algorithms/reducer_types.hpp"
#include "reduce_rows.hpp"

namespace dolmen::cpu {

namespace impl {

/// Minimum and maximum of T: maxima are minima of numbers whose order is turned round, by the sign of floats, by all bits of
/// integers; unsigned integers are signed ones with another sign bit. T is signed.
template <class T>
struct extreme_reducer {
  using first = T;
  using second = no_input;
  using key_type = exact_t<T>;
  using value = key_type;  // turned
  using narrow = value;
  using result = T;
  using mask = word_of<key_type>;
  static constexpr bool commutative = true, built_in = true;

  mask flip;
  value initial;
  bool greatest;

  constexpr key_type turned(key_type x) const { return bits_as<key_type>(static_cast<mask>(bits_of(x) ^ flip)); }
  template <class U>
  constexpr U lift(index_t, T x) const {
    return turned(static_cast<U>(x));
  }
  template <class U>
  static constexpr U combine(U a, U b) {
    return minimum{}(a, b);
  }
  constexpr T finish(value v) const { return static_cast<T>(turned(combine(initial, v))); }
  constexpr T nothing() const { return static_cast<T>(turned(initial)); }
};
template <class T>
inline constexpr bool is_float_extreme<extreme_reducer<T>> = has_nan<exact_t<T>>;

inline extreme_reducer<float> floats_of(extreme_reducer<half> const& r) { return {r.flip, r.initial, r.greatest}; }

/// The place of one, by the rules of arg_reducer.
template <class T>
struct place_reducer {
  using first = T;
  using second = no_input;
  using key_type = exact_t<T>;
  using value = placed<key_type>;  // its key is turned
  using narrow = value;
  using result = index_t;
  static constexpr bool commutative = true, built_in = true;

  extreme_reducer<T> by;

  static constexpr bool before(key_type a, key_type b) {
    if constexpr (has_nan<key_type>)
      if (a != a) return b == b;
    return a < b;
  }
  /// What an element is compared with that may be the extreme.
  constexpr key_type sought(key_type extreme) const { return by.turned(extreme); }
  static constexpr bool is(key_type x, key_type sought) {
    if constexpr (has_nan<key_type>)
      return x == sought || (x != x && sought != sought);
    else
      return x == sought;
  }
  template <class U>
  constexpr U lift(index_t i, T x) const {
    return {by.template lift<key_type>(i, x), i};
  }
  template <class U>
  static constexpr U combine(U a, U b) {
    bool const second = before(b.key, a.key) || (b.index < a.index && !before(a.key, b.key));
    return second ? b : a;
  }
  static constexpr index_t finish(value v) { return v.index; }
  static constexpr index_t nothing() { return -1; }
};

/// Both extremes.
template <class T>
struct extremes_reducer {
  using first = T;
  using second = no_input;
  using key_type = exact_t<T>;
  using value = min_max<key_type>;  // each turned
  using narrow = value;
  using result = value;
  static constexpr bool commutative = true, built_in = true;

  extreme_reducer<T> low, high;

  template <class U>
  constexpr U lift(index_t i, T x) const {
    return {low.template lift<key_type>(i, x), high.template lift<key_type>(i, x)};
  }
  template <class U>
  static constexpr U combine(U a, U b) {
    return {minimum{}(a.min, b.min), minimum{}(a.max, b.max)};
  }
  constexpr result finish(value v) const { return {low.turned(v.min), high.turned(v.max)}; }
  constexpr result nothing() const { return {low.turned(low.initial), high.turned(high.initial)}; }
};

inline extremes_reducer<float> floats_of(extremes_reducer<half> const& r) { return {floats_of(r.low), floats_of(r.high)}; }

/// How many elements are not 0: floats as they are, all others by those of their bits that tell.
template <class T>
struct count_reducer {
  using first = T;
  using second = no_input;
  using value = index_t;
  using narrow = std::int32_t;
  using result = index_t;
  static constexpr bool commutative = true, built_in = true;

  T mask;

  template <class U>
  constexpr U lift(index_t, T x) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<U>((x & mask) != 0);
    else
      return static_cast<U>(x != 0);
  }
  template <class U>
  static constexpr U combine(U a, U b) {
    return a + b;
  }
  static constexpr index_t finish(value v) { return v; }
  static constexpr index_t nothing() { return 0; }
};
template <class T>
requires(sizeof(T) <= 2) struct lane_type<count_reducer<T>> {
  using type = std::int16_t;
};

/// The type whose body serves elements of T.
template <class T>
struct signed_type {
  using type = T;
};
template <std::integral T>
struct signed_type<T> {
  using type = std::make_signed_t<T>;
};
template <class T>
using signed_of = typename signed_type<T>::type;

template <class Op, class T>
extreme_reducer<signed_of<T>> own_extreme(exact_t<T> initial) {
  using S = signed_of<T>;
  using K = exact_t<S>;
  using mask = word_of<K>;
  constexpr auto sign = static_cast<mask>(mask(1) << (8 * sizeof(K) - 1));
  constexpr bool greatest = std::same_as<Op, maximum>;
  mask flip = 0;
  if constexpr (std::is_integral_v<T>) {
    if (greatest) flip = static_cast<mask>(~flip);
    if (std::is_unsigned_v<T>) flip = static_cast<mask>(flip ^ sign);
  } else {
    if (greatest) flip = sign;
  }
  extreme_reducer<S> r{flip, K(0), greatest};
  r.initial = r.turned(static_cast<K>(initial));
  return r;
}

// The reducers of bodies for those of fronts.
template <class R>
R const& own(R const& r) {
  return r;
}
template <class T, class K, class Op, class Result>
requires(std::same_as<Op, minimum> || std::same_as<Op, maximum>) auto own(op_reducer<T, K, Op, Result> const& r) {
  return own_extreme<Op, T>(r.initial);
}
template <class Op>
requires(std::same_as<Op, plus> || std::same_as<Op, multiplies>) auto own(op_reducer<std::uint64_t, std::uint64_t, Op> const& r) {
  return op_reducer<std::int64_t, std::int64_t, Op>{static_cast<std::int64_t>(r.initial)};
}
inline auto own(dot_reducer<std::uint64_t, std::uint64_t> const&) { return dot_reducer<std::int64_t, std::int64_t>{}; }
template <class T, class Op>
auto own(arg_reducer<T, Op> const&) {
  return place_reducer<signed_of<T>>{own_extreme<Op, T>(exact_t<T>(0))};
}
template <class T>
auto own(minmax_reducer<T> const&) {
  using K = exact_t<T>;
  return extremes_reducer<signed_of<T>>{own_extreme<minimum, T>(identity_of<K, minimum>()),
                                        own_extreme<maximum, T>(identity_of<K, maximum>())};
}
template <class T, class Result>
auto own(nonzero_reducer<T, Result> const&) {
  if constexpr (has_nan<T>)
    return count_reducer<T>{};
  else if constexpr (half_type<T>)
    return count_reducer<std::uint16_t>{0x7fff};
  else
    return count_reducer<word_of<T>>{static_cast<word_of<T>>(~word_of<T>(0))};
}

// Results of a kind that bodies do not have.
template <class T>
min_max<T> own_result(minmax_reducer<T> const&, min_max<exact_t<signed_of<T>>> v) {
  return {static_cast<T>(v.min), static_cast<T>(v.max)};
}
template <class T, class Result>
Result own_result(nonzero_reducer<T, Result> const& r, index_t v) {
  return r.finish(v);
}

}  // namespace impl

template <class R, class A, class B>
void launch_reduce(stream const& s, R const& reducer, dolmen::detail::strided_runs<A, B> const& in, typename R::result* out,
                   source_location where) {
  auto const r = impl::own(reducer);
  using own = std::remove_const_t<decltype(r)>;
  using C = typename own::first;
  using D = typename own::second;
  dolmen::detail::strided_runs<C, D> const runs{{reinterpret_cast<C const*>(in.data.a), reinterpret_cast<D const*>(in.data.b)},
                                                {in.extent[0], in.extent[1], in.extent[2]},
                                                {in.stride_a[0], in.stride_a[1]},
                                                {in.stride_b[0], in.stride_b[1]}};
  typename own::result result;
  impl::reduce_whole<this_file>(s, r, runs, &result, where);
  if constexpr (requires { impl::own_result(reducer, result); })
    *out = impl::own_result(reducer, result);
  else
    *out = static_cast<typename R::result>(result);
}

template <class R>
void launch_reduce_rows(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                        typename R::result* out, source_location where) {
  auto const r = impl::own(reducer);
  using own = std::remove_const_t<decltype(r)>;
  impl::reduce_rows<this_file>(s, r, plan, reinterpret_cast<typename own::first const*>(in), reinterpret_cast<typename own::result*>(out),
                               where);
}
template <class R>
void launch_reduce_columns(stream const& s, R const& reducer, dolmen::detail::rows_plan const& plan, typename R::first const* in,
                           typename R::result* out, source_location where) {
  auto const r = impl::own(reducer);
  using own = std::remove_const_t<decltype(r)>;
  impl::reduce_columns<this_file>(s, r, plan, reinterpret_cast<typename own::first const*>(in),
                                  reinterpret_cast<typename own::result*>(out), where);
}

}  // namespace dolmen::cpu
