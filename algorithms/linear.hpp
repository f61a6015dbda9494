// scale, add, axpy, triad: sums and multiples of views.
#pragma once

#include "../core/fused.hpp"
#include "transform.hpp"

// M(type) for each element type that bodies exist for: integers wrap, for which their sign does not matter.
#define DOLMEN_EACH_LINEAR(M) M(std::uint8_t) M(std::uint16_t) M(std::uint32_t) M(std::uint64_t) DOLMEN_EACH_FLOAT(M)

namespace dolmen {

namespace detail {

/// In what elements are computed, and their factors given: float for half and bfloat16.
template <class T>
using scalar_of = std::conditional_t<half_type<T>, float, T>;

template <class T>
struct linear_body {
  using type = T;
};
template <integer_element T>
struct linear_body<T> {
  using type = std::make_unsigned_t<body_t<T>>;
};
template <class T>
using linear_t = typename linear_body<std::remove_const_t<T>>::type;

template <class T>
struct multiple {
  scalar_of<T> factor;
  DOLMEN_INLINE_FN T operator()(T x) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::common_type_t<T, unsigned>(factor) * x);
    else
      return static_cast<T>(factor * scalar_of<T>(x));
  }
};

template <class T>
struct multiple_and_sum {
  scalar_of<T> factor;
  DOLMEN_INLINE_FN T operator()(T b, T c) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::common_type_t<T, unsigned>(factor) * c + b);
    else
      return static_cast<T>(fused(factor, scalar_of<T>(c), scalar_of<T>(b)));
  }
};

template <class In, class Out>
concept linear_elements = number_element<Out> && std::same_as<std::remove_const_t<In>, Out>;

template <class T, int Rank>
auto* linear_data(view<T, Rank> v) {
  using body = std::conditional_t<std::is_const_v<T>, linear_t<T> const, linear_t<T>>;
  return reinterpret_cast<body*>(v.data());
}

// out = b + factor c
template <class Stream, class B, class C, class Out, int Rank>
void sum_of_multiple(char const* name, Stream const& stream, view<B, Rank> b, scalar_of<Out> factor, view<C, Rank> c, view<Out, Rank> out,
                     source_location where) {
  require_inputs(name, where, out, b, c);
  if (out.empty()) return;
  launch_linear<linear_t<Out>>(stream, name, collapse_all(out, b, c), scalar_of<linear_t<Out>>(factor), linear_data(out), linear_data(b),
                               linear_data(c), where);
}

}  // namespace detail

#define DOLMEN_LINEAR_TYPES(name) \
  name ": the elements of all views are of one type, an integer of 8 to 64 bits (not bool), float, double, half or bfloat16"
#define DOLMEN_LINEAR_RANKS(name) name ": inputs and output have different ranks"

// All four: any ranks and strides; the output may be an input itself. Integers wrap. Floating-point results are rounded once:
// b + factor c is a fused multiply-add; half and bfloat16, whose factors are floats, are computed in float. Equal on every
// backend, but for the bits of NaN. They throw invalid_argument that names both shapes if they differ, or if an input
// overlaps the output without being it. They do not synchronise, and any C++ compiler can call them.

/// out = factor x.
template <stream_type Stream, view_like X, view_like Out>
void scale(Stream const& stream, std::type_identity_t<detail::scalar_of<detail::value_of<X const>>> factor, X const& x, Out&& out,
           source_location where = source_location::current()) {
  detail::require_handles("scale", where, stream, x, out);
  using T = detail::element_of<Out>;
  static_assert(detail::linear_elements<detail::element_of<X const>, T>, DOLMEN_LINEAR_TYPES("scale"));
  auto const source = detail::as_view(x);
  auto const target = detail::as_view(out);
  static_assert(decltype(source)::rank == decltype(target)::rank, DOLMEN_LINEAR_RANKS("scale"));
  detail::require_inputs("scale", where, target, source);
  if (target.empty()) return;
  launch_scale<detail::linear_t<T>>(stream, detail::collapse_all(target, source), detail::scalar_of<detail::linear_t<T>>(factor),
                                    detail::linear_data(target), detail::linear_data(source), where);
}

/// out = a + b.
template <stream_type Stream, view_like A, view_like B, view_like Out>
void add(Stream const& stream, A const& a, B const& b, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("add", where, stream, a, b, out);
  using T = detail::element_of<Out>;
  static_assert(detail::linear_elements<detail::element_of<A const>, T> && detail::linear_elements<detail::element_of<B const>, T>,
                DOLMEN_LINEAR_TYPES("add"));
  auto const first = detail::as_view(a);
  auto const second = detail::as_view(b);
  auto const target = detail::as_view(out);
  static_assert(decltype(first)::rank == decltype(target)::rank && decltype(second)::rank == decltype(target)::rank,
                DOLMEN_LINEAR_RANKS("add"));
  detail::sum_of_multiple("add", stream, first, detail::scalar_of<T>(1), second, target, where);
}

/// y = alpha x + y.
template <stream_type Stream, view_like X, view_like Y>
void axpy(Stream const& stream, std::type_identity_t<detail::scalar_of<detail::value_of<X const>>> alpha, X const& x, Y&& y,
          source_location where = source_location::current()) {
  detail::require_handles("axpy", where, stream, x, y);
  using T = detail::element_of<Y>;
  static_assert(detail::linear_elements<detail::element_of<X const>, T>, DOLMEN_LINEAR_TYPES("axpy"));
  auto const source = detail::as_view(x);
  auto const target = detail::as_view(y);
  static_assert(decltype(source)::rank == decltype(target)::rank, DOLMEN_LINEAR_RANKS("axpy"));
  detail::sum_of_multiple("axpy", stream, target, alpha, source, target, where);
}

/// out = b + factor c (STREAM's triad).
template <stream_type Stream, view_like B, view_like C, view_like Out>
void triad(Stream const& stream, B const& b, std::type_identity_t<detail::scalar_of<detail::value_of<B const>>> factor, C const& c,
           Out&& out, source_location where = source_location::current()) {
  detail::require_handles("triad", where, stream, b, c, out);
  using T = detail::element_of<Out>;
  static_assert(detail::linear_elements<detail::element_of<B const>, T> && detail::linear_elements<detail::element_of<C const>, T>,
                DOLMEN_LINEAR_TYPES("triad"));
  auto const first = detail::as_view(b);
  auto const second = detail::as_view(c);
  auto const target = detail::as_view(out);
  static_assert(decltype(first)::rank == decltype(target)::rank && decltype(second)::rank == decltype(target)::rank,
                DOLMEN_LINEAR_RANKS("triad"));
  detail::sum_of_multiple("triad", stream, first, factor, second, target, where);
}

#undef DOLMEN_LINEAR_TYPES
#undef DOLMEN_LINEAR_RANKS

}  // namespace dolmen
