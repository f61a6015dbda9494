// What a reduction does with its elements, as one type per kind: lift makes a value of an element and its index, combine
// joins two values of neighbours, finish makes the result. Bodies know nothing else, and need no neutral value.
#pragma once

#include <limits>

#include "../core/operators.hpp"
#include "initial.hpp"

namespace dolmen {

namespace types {

/// What minmax_of gives.
template <class T>
struct min_max {
  T min, max;
  friend constexpr bool operator==(min_max const&, min_max const&) = default;
};

}  // namespace types

using types::min_max;

namespace detail {

/// Addition that wraps for integers.
template <class Sum>
DOLMEN_INLINE_FN constexpr Sum add(Sum a, Sum b) {
  if constexpr (std::is_integral_v<Sum>)
    return Sum(std::uint64_t(a) + std::uint64_t(b));
  else
    return a + b;
}
template <class Product>
DOLMEN_INLINE_FN constexpr Product multiply(Product a, Product b) {
  if constexpr (std::is_integral_v<Product>)
    return Product(std::uint64_t(a) * std::uint64_t(b));
  else
    return a * b;
}

/// The type in which halves are computed with; all others are computed with as they are.
template <class T>
using exact_t = std::conditional_t<half_type<T>, float, T>;

struct no_input {};

/// Neighbouring elements of one input, or of two at the same places.
template <class A, class B = no_input>
struct run {
  A const* a;
  B const* b;
  DOLMEN_INLINE_FN constexpr run from(index_t i) const {
    if constexpr (std::same_as<B, no_input>)
      return {a + i, nullptr};
    else
      return {a + i, b + i};
  }
};

/// Runs at strides: what strided<T> is for one view.
template <class A, class B = no_input>
struct strided_runs {
  run<A, B> data;
  index_t extent[3];  // planes, rows, columns
  index_t stride_a[2], stride_b[2];
  constexpr index_t size() const { return extent[0] * extent[1] * extent[2]; }
  constexpr bool contiguous() const { return extent[0] == 1 && extent[1] == 1; }
  /// Row number r of all planes' rows.
  DOLMEN_INLINE_FN constexpr run<A, B> row(index_t r) const {
    index_t const p = r / extent[1], q = r - p * extent[1];
    if constexpr (std::same_as<B, no_input>)
      return {data.a + p * stride_a[0] + q * stride_a[1], nullptr};
    else
      return {data.a + p * stride_a[0] + q * stride_a[1], data.b + p * stride_b[0] + q * stride_b[1]};
  }
};

/// The value of element j of a run, as a V; its index is given.
DOLMEN_NO_EXEC_CHECK
template <class V, class R, class A, class B>
DOLMEN_INLINE_FN constexpr V lift_at(R const& r, run<A, B> const& in, index_t j, index_t index) {
  if constexpr (std::same_as<B, no_input>)
    return r.template lift<V>(index, in.a[j]);
  else
    return r.template lift<V>(index, in.a[j], in.b[j]);
}

/// A few small integers are added in 32 bits before they go to 64: bodies do so for up to 2048 of them.
template <class T, class V, class Op>
using narrow_t = std::conditional_t<std::integral<T> && sizeof(T) <= 2 && std::same_as<Op, plus>,
                                    std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>, V>;

template <class V, class Op>
constexpr V identity_of() {
  if constexpr (std::same_as<Op, plus>) return V(0);
  if constexpr (std::same_as<Op, multiplies>) return V(1);
  using limits = std::numeric_limits<V>;
  if constexpr (std::same_as<Op, minimum>) return limits::has_infinity ? limits::infinity() : limits::max();
  if constexpr (std::same_as<Op, maximum>) return limits::has_infinity ? -limits::infinity() : limits::lowest();
}

/// plus, multiplies, minimum, maximum of numbers, in V.
template <class T, class V, class Op, class Result = V>
struct op_reducer {
  using first = T;
  using second = no_input;
  using value = V;
  using narrow = narrow_t<T, V, Op>;
  using result = Result;
  static constexpr bool commutative = true, built_in = true;

  V initial = identity_of<V, Op>();

  template <class U>
  DOLMEN_INLINE_FN static constexpr U lift(index_t, T x) {
    return static_cast<U>(x);
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    if constexpr (std::same_as<Op, plus>)
      return add(a, b);
    else if constexpr (std::same_as<Op, multiplies>)
      return multiply(a, b);
    else
      return Op{}(a, b);
  }
  DOLMEN_INLINE_FN constexpr Result finish(V v) const { return static_cast<Result>(combine(initial, v)); }
  DOLMEN_INLINE_FN constexpr Result nothing() const { return static_cast<Result>(initial); }
};

/// Sums of products of two inputs.
template <class T, class V>
struct dot_reducer {
  using first = T;
  using second = T;
  using value = V;
  using narrow = V;
  using result = V;
  static constexpr bool commutative = true, built_in = true;

  template <class U>
  DOLMEN_INLINE_FN static constexpr U lift(index_t, T x, T y) {
    return multiply(static_cast<U>(x), static_cast<U>(y));
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    return add(a, b);
  }
  DOLMEN_INLINE_FN static constexpr V finish(V v) { return v; }
  DOLMEN_INLINE_FN static constexpr V nothing() { return V(0); }
};

/// A number and where it stands.
template <class K>
struct placed {
  K key;
  index_t index;
};

/// The index of the minimum or maximum. Of equals the first; NaN comes before all numbers; -0.0 equals 0.0.
template <class T, class Op>
struct arg_reducer {
  using first = T;
  using second = no_input;
  using key_type = exact_t<T>;
  using key = op_reducer<T, key_type, Op>;  // bodies find the extreme of a few elements first, then its place
  using value = placed<key_type>;
  using narrow = value;
  using result = index_t;
  static constexpr bool commutative = true, built_in = true;

  DOLMEN_INLINE_FN static constexpr bool before(key_type a, key_type b) {
    if constexpr (has_nan<key_type>)
      if (a != a) return b == b;
    if constexpr (std::same_as<Op, minimum>)
      return a < b;
    else
      return b < a;
  }
  /// Whether an element is the extreme that was found.
  DOLMEN_INLINE_FN static constexpr bool is(key_type x, key_type extreme) {
    if constexpr (has_nan<key_type>)
      return x == extreme || (x != x && extreme != extreme);
    else
      return x == extreme;
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U lift(index_t i, T x) {
    return {static_cast<key_type>(x), i};
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    bool const second = before(b.key, a.key) || (b.index < a.index && !before(a.key, b.key));
    return second ? b : a;
  }
  DOLMEN_INLINE_FN static constexpr index_t finish(value v) { return v.index; }
  DOLMEN_INLINE_FN static constexpr index_t nothing() { return -1; }  // fronts refuse it
};

/// Minimum and maximum at once.
template <class T>
struct minmax_reducer {
  using first = T;
  using second = no_input;
  using key_type = exact_t<T>;
  using low = op_reducer<T, key_type, minimum>;
  using high = op_reducer<T, key_type, maximum>;
  using value = min_max<key_type>;
  using narrow = value;
  using result = min_max<T>;
  static constexpr bool commutative = true, built_in = true;

  template <class U>
  DOLMEN_INLINE_FN static constexpr U lift(index_t, T x) {
    return {static_cast<key_type>(x), static_cast<key_type>(x)};
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    return {minimum{}(a.min, b.min), maximum{}(a.max, b.max)};
  }
  DOLMEN_INLINE_FN static constexpr result finish(value v) { return {static_cast<T>(v.min), static_cast<T>(v.max)}; }
  DOLMEN_INLINE_FN static constexpr result nothing() {
    return {static_cast<T>(identity_of<key_type, minimum>()), static_cast<T>(identity_of<key_type, maximum>())};
  }
};

enum class question { count, any, all };

/// How many elements are not 0, or whether any or all are not. NaN is not 0.
template <class T, class Result>
struct nonzero_reducer {
  using first = T;
  using second = no_input;
  using value = index_t;
  using narrow = std::int32_t;
  using result = Result;
  static constexpr bool commutative = true, built_in = true;

  question what;
  index_t n;

  template <class U>
  DOLMEN_INLINE_FN static constexpr U lift(index_t, T x) {
    return static_cast<U>(static_cast<exact_t<T>>(x) != exact_t<T>(0));
  }
  template <class U>
  DOLMEN_INLINE_FN static constexpr U combine(U a, U b) {
    return a + b;
  }
  DOLMEN_INLINE_FN constexpr Result finish(index_t v) const {
    return static_cast<Result>(what == question::count ? v : what == question::any ? index_t(v > 0) : index_t(v == n));
  }
  DOLMEN_INLINE_FN constexpr Result nothing() const { return finish(0); }
};

struct no_transform {
  template <class T>
  DOLMEN_INLINE_FN constexpr T operator()(T x) const {
    return x;
  }
};

struct logical_or {
  static constexpr bool commutative = true;
  DOLMEN_INLINE_FN constexpr bool operator()(bool a, bool b) const { return a || b; }
};
struct logical_and {
  static constexpr bool commutative = true;
  DOLMEN_INLINE_FN constexpr bool operator()(bool a, bool b) const { return a && b; }
};

/// 1 where a predicate holds.
template <class Predicate>
struct holds {
  static_assert(DOLMEN_NO_REFERENCES(Predicate));
  Predicate predicate;
  DOLMEN_NO_EXEC_CHECK
  template <class T>
  DOLMEN_INLINE_FN constexpr bool operator()(T const& x) const {
    return static_cast<bool>(predicate(x));
  }
};
template <class Predicate>
inline constexpr bool holds_references<holds<Predicate>> = false;  // it has looked itself

/// A user's operator or transformation. The operator meets elements and the initial value only, in their order unless it
/// says that it is commutative.
template <class V, class Op, class Transform, class A, class B = no_input>
struct user_reducer {
  using first = A;
  using second = B;
  using value = V;
  using narrow = V;
  using result = V;
  static constexpr bool commutative = is_commutative<Op>, built_in = false;
  static_assert(DOLMEN_NO_REFERENCES(Op));
  static_assert(DOLMEN_NO_REFERENCES(Transform));

  V initial;
  Op op;
  Transform transform;

  DOLMEN_NO_EXEC_CHECK
  template <class U, class... X>
  DOLMEN_INLINE_FN constexpr U lift(index_t, X const&... x) const {
    return static_cast<U>(transform(x...));
  }
  DOLMEN_NO_EXEC_CHECK
  template <class U>
  DOLMEN_INLINE_FN constexpr U combine(U const& a, U const& b) const {
    if constexpr (std::same_as<Op, plus> && std::integral<V> && !std::same_as<V, bool>)
      return add(a, b);
    else if constexpr (std::same_as<Op, multiplies> && std::integral<V> && !std::same_as<V, bool>)
      return multiply(a, b);
    else
      return static_cast<U>(op(a, b));
  }
  DOLMEN_INLINE_FN constexpr V finish(V const& v) const { return combine<V>(initial, v); }
  DOLMEN_INLINE_FN constexpr V nothing() const { return initial; }
};

/// A reducer that calls what a user wrote.
template <class R>
inline constexpr bool is_user_reducer = false;
template <class V, class Op, class Transform, class A, class B>
inline constexpr bool is_user_reducer<user_reducer<V, Op, Transform, A, B>> = true;

}  // namespace detail
}  // namespace dolmen
