// layer_norm and rms_norm of every row.
#pragma once

#include "../core/bits.hpp"
#include "rows.hpp"

namespace dolmen {

namespace types {

/// What layer_norm takes besides the rows: a factor and an addend for each column, both or either, and what is added to the
/// variance.
template <class T>
struct layer_norm_options {
  view<T const> gamma = {}, beta = {};
  detail::compute_t<T> eps = detail::compute_t<T>(1e-5);
};

/// The same for rms_norm: a factor for each column, and what is added to the mean of squares.
template <class T>
struct rms_norm_options {
  view<T const> gamma = {};
  detail::compute_t<T> eps = detail::compute_t<T>(1e-5);
};

}  // namespace types

using types::layer_norm_options;
using types::rms_norm_options;

namespace detail {

/// Null where not given.
template <class T>
struct norm_weights {
  T const *gamma, *beta;
  compute_t<T> eps;
  bool centred;  // subtracts the mean
};

// Bodies add up squares of the elements as they are. Where these leave the range in which sums are precise, which is seen by the
// sum, they do so again with elements times a power of two, the scale, that brings the largest one near 1. What they know of a row
// is then that of the scaled one: its mean is `scale` times as large, its squares scale^2.
template <class C>
struct norm_limits {  // of float
  static constexpr int mantissa = 23, bias = 127, largest_eps = 100;
  static constexpr C high = C(0x1p100), low = C(0x1p-70), tiny_eps = C(0x1p-46), smallest = C(0x1p-126), largest_scale = C(0x1p126);
};
template <>
struct norm_limits<double> {
  static constexpr int mantissa = 52, bias = 1023, largest_eps = 900;
  static constexpr double high = 0x1p900, low = 0x1p-800, tiny_eps = 0x1p-740, smallest = 0x1p-1022, largest_scale = 0x1p1022;
};
template <class T>
inline constexpr bool norm_needs_scale = !std::is_same_v<T, half>;  // whose squares are all well inside float's range

/// Whether a sum of squares is precise; a small one is also where eps outweighs it.
template <class C>
DOLMEN_INLINE_FN bool norm_fits(C squares, C eps) {
  using limits = norm_limits<C>;
  return squares <= limits::high && (squares >= limits::low || eps >= limits::tiny_eps);
}
/// The scale for a row by its largest magnitude. eps times its square stays finite.
template <class C>
DOLMEN_FN C norm_scale(C largest, C eps) {
  using limits = norm_limits<C>;
  auto const exponent = [](C x) { return int(bits_of(x) >> limits::mantissa) - limits::bias; };
  int e = min(max(-exponent(largest), 1 - limits::bias), limits::bias - 1);
  if (eps > 0) e = min(e, (limits::largest_eps - exponent(eps)) / 2);
  return bits_as<C>(word_of<C>(e + limits::bias) << limits::mantissa);
}
/// to / from, of which the first is not larger; 0 where that is too small.
template <class C>
DOLMEN_INLINE_FN C norm_ratio(C to, C from) {
  auto const bits = std::make_signed_t<word_of<C>>(bits_of(to) - bits_of(from) + bits_of(C(1)));
  return bits > 0 ? bits_as<C>(word_of<C>(bits)) : C(0);
}
/// What the root is taken of. A positive eps stays positive, so that constant rows become 0.
template <class C>
DOLMEN_INLINE_FN C norm_divisor(C mean_square, C eps, C scale) {
  C const scaled = eps * scale * scale;
  return mean_square + (eps > 0 && scaled < norm_limits<C>::smallest ? norm_limits<C>::smallest : scaled);
}

template <class T, int Rank>
T const* weights_of(view<T const> weights, view<T, Rank> rows, char const* name, char const* operation, source_location where) {
  if (weights.empty()) return nullptr;
  require(weights.size() == rows.extent(Rank - 1), where, operation, ": ", name, " has ", weights.size(), " elements, the rows of ",
          rows.shape(), " have ", rows.extent(Rank - 1));
  require(!share_elements(flat(weights), flat(rows)), where, operation, ": the result overlaps ", name);
  return weights.data();
}

template <class T, class Stream, class In, class Out>
void norm_rows(Stream const& stream, In const& in, Out& out, view<T const> gamma, view<T const> beta, compute_t<T> eps, bool centred,
               char const* operation, source_location where) {
  static_assert(float_element<T> && std::is_same_v<value_of<In const>, T>,
                "layer_norm, rms_norm: input and result are float, double, half or bfloat16, both the same");
  auto const source = as_view(in);
  auto const target = as_view(out);
  constexpr int rank = decltype(source)::rank;
  static_assert(rank == decltype(target)::rank, "layer_norm, rms_norm: input and result have different ranks");
  require_same_shape(source, target, operation, where);
  if (target.empty()) return;
  require_rows_apart(source, target, operation, where);
  norm_weights<T> const weights{weights_of<T, rank>(gamma, target, "gamma", operation, where),
                                weights_of<T, rank>(beta, target, "beta", operation, where), eps, centred};
  with_host_memory(operation, where, [&] { launch_norm(stream, plan_rows<T, rank>(source, target), weights, where); });
}

}  // namespace detail

/// out(.., i) = (in(.., i) - mean) / sqrt(variance + eps) * gamma(i) + beta(i), with the row's mean and variance (its sum of
/// squares divided by the row's length): along the last dimension of views of any rank and strides. `out` may be `in`.
///   layer_norm(stream, in, out, {.gamma = g, .beta = b, .eps = 1e-6f});   // gamma, beta: views of T const, or buffers
/// float, double, half (computed in float), bfloat16 (in float). The variance is taken around the mean, which is known to more digits
/// than an element has, and rows of any magnitude are as precise as others. One read and one write of memory, for rows that the processor
/// can hold. Does not synchronise. Throws invalid_argument that names the shapes if they differ, if out overlaps in but is not in, or
/// overlaps gamma or beta.
template <stream_type Stream, view_like In, view_like Out>
void layer_norm(Stream const& stream, In const& in, Out&& out, layer_norm_options<detail::element_of<Out>> options = {},
                source_location where = source_location::current()) {
  detail::require_handles("layer_norm", where, stream, in, out);
  detail::norm_rows<detail::element_of<Out>>(stream, in, out, options.gamma, options.beta, options.eps, true, "layer_norm", where);
}

/// out(.., i) = in(.., i) / sqrt(mean of the row's squares + eps) * gamma(i). All else as for layer_norm.
template <stream_type Stream, view_like In, view_like Out>
void rms_norm(Stream const& stream, In const& in, Out&& out, rms_norm_options<detail::element_of<Out>> options = {},
              source_location where = source_location::current()) {
  detail::require_handles("rms_norm", where, stream, in, out);
  using T = detail::element_of<Out>;
  detail::norm_rows<T>(stream, in, out, options.gamma, view<T const>(), options.eps, false, "rms_norm", where);
}

}  // namespace dolmen
