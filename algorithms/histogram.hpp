// histogram: how many elements fall into each of equal bins.
#pragma once

#include "../core/overlap.hpp"
#include "fill.hpp"
#include "initial.hpp"

// M(key, count) for each histogram whose body is instantiated. Counts are 32 or 64 bits wide, with or without a sign.
#define DOLMEN_EACH_HISTOGRAM_OF(M, T) M(T, std::uint32_t) M(T, std::uint64_t)

namespace dolmen {

namespace detail {

__extension__ typedef unsigned __int128 uint128;

/// How an integer key finds its bin: floor((key - low) * bins / range), for low <= key <= last.
struct integer_bins {
  std::uint64_t low;      // the first key, with the bits of an int64 where keys are signed
  std::uint64_t last;     // key - low of the last key that counts
  std::uint64_t range;    // last + 1; 0 stands for 2^64
  std::uint64_t per_bin;  // range / bins where bins divides it; else 0
  int shift;              // log2 of per_bin where that is a power of two; else -1
  double scale;           // bins / range, for a guess
  std::uint64_t bins;

  /// The bin of key - low, which is at most `last`.
  DOLMEN_INLINE_FN std::uint64_t bin(std::uint64_t d) const { return shift >= 0 ? d >> shift : divided(d); }
  DOLMEN_FN std::uint64_t divided(std::uint64_t d) const {
    if (per_bin != 0) return last >> 32 == 0 ? static_cast<std::uint32_t>(d) / static_cast<std::uint32_t>(per_bin) : d / per_bin;
    // A guess, which rounding may put one bin off, and the exact comparison.
    auto guess = static_cast<std::uint64_t>(static_cast<double>(d) * scale);
    if (guess >= bins) guess = bins - 1;
    uint128 const whole = range == 0 ? uint128(1) << 64 : uint128(range), product = uint128(d) * bins;
    while (whole * guess > product) --guess;
    while (whole * (guess + 1) <= product) ++guess;
    return guess;
  }
};

/// A float key's bin: (key - low) * scale, rounded down, for low <= key < high.
template <class F>
struct float_bins {
  F low, high, scale;
  std::uint64_t bins;
};

/// In what keys are compared: their own type; half and bfloat16 in float.
template <class T>
using bin_value = std::conditional_t<half_type<T>, float, T>;

template <class T>
struct bins_of {
  using type = float_bins<bin_value<T>>;
};
template <std::integral T>
struct bins_of<T> {
  using type = integer_bins;
};

/// The key's bin; false if it is counted nowhere.
template <class T>
DOLMEN_INLINE_FN bool find_bin(integer_bins const& b, T key, std::uint64_t& bin) {
  std::uint64_t const d = static_cast<std::uint64_t>(key) - b.low;  // wraps below low, to more than `last`
  if (d > b.last) return false;
  bin = b.bin(d);
  return true;
}
template <class F>
DOLMEN_INLINE_FN bool find_bin(float_bins<F> const& b, F key, std::uint64_t& bin) {
  if (!(key >= b.low && key < b.high)) return false;
  bin = static_cast<std::uint64_t>((key - b.low) * b.scale);
  if (bin >= b.bins) bin = b.bins - 1;
  return true;
}
template <half_type T>
DOLMEN_INLINE_FN bool find_bin(float_bins<float> const& b, T key, std::uint64_t& bin) {
  return find_bin(b, static_cast<float>(key), bin);
}

template <class T, class Count>
struct histogram_plan {
  strided<T const> in;
  Count* counts;
  index_t bins;
  typename bins_of<T>::type how;
};

inline integer_bins plan_integer_bins(std::uint64_t low, std::uint64_t last, index_t bins) {
  integer_bins b{low, last, last + 1, 0, -1, 0, std::uint64_t(bins)};
  double const range = double(last) + 1;
  b.scale = double(bins) / range;
  std::uint64_t const n = std::uint64_t(bins);
  if (b.range == 0) {  // 2^64
    if ((n & (n - 1)) == 0 && n > 1) b.per_bin = (std::uint64_t(1) << 63) / (n / 2);
  } else if (b.range % n == 0) {
    b.per_bin = b.range / n;
  }
  if (b.per_bin != 0 && (b.per_bin & (b.per_bin - 1)) == 0)
    for (b.shift = 0; (b.per_bin >> b.shift) != 1;) ++b.shift;
  return b;
}

// What bounds of the keys are given in: integers in 64 bits, half and bfloat16 in float.
template <class T>
struct bound_type {
  using type = std::conditional_t<float_element<T>, bin_value<T>, double>;
};
template <std::signed_integral T>
struct bound_type<T> {
  using type = std::int64_t;
};
template <std::unsigned_integral T>
struct bound_type<T> {
  using type = std::uint64_t;
};
template <class V>
using bound_of = typename bound_type<value_of<V>>::type;

template <class C>
concept histogram_count = integer_element<C> && sizeof(C) >= 4;

template <stream_type Stream, view_like In, view_like Out, class Bins>
void count_bins(Stream const& stream, In const& in, Out& counts, Bins const& how, source_location where) {
  using T = body_t<value_of<In const>>;
  using Count = std::conditional_t<sizeof(element_of<Out>) == 4, std::uint32_t, std::uint64_t>;
  auto const source = as_view(in);
  auto const target = as_view(counts);
  auto const elements = as_body(flat(view<value_of<In const> const, decltype(source)::rank>(source)));
  require(!share_elements(elements, flat(target)), where, "histogram: keys and counts overlap");
  if (elements.size() == 0) return fill(stream, target, {}, where);
  with_host_memory("histogram", where, [&] {
    launch_histogram(stream, histogram_plan<T, Count>{elements, reinterpret_cast<Count*>(target.data()), target.size(), how}, where);
  });
}

template <class In, class Out>
void check_histogram_types() {
  static_assert(number_element<value_of<In>>, "histogram: keys are integers, float, double, half or bfloat16");
  static_assert(!std::is_const_v<element_of<Out>> && histogram_count<element_of<Out>>, "histogram: counts are integers of 32 or 64 bits");
  static_assert(decltype(as_view(std::declval<Out&>()))::rank == 1, "histogram: the counts' view has rank 1");
}

}  // namespace detail

/// counts(b) = the number of elements of `in` (any rank and strides) in bin b of counts.size() equal ones that make up
/// [low, high). What lies outside, and NaN, is counted nowhere. Bounds of integer keys are taken as int64,
/// or as uint64 for unsigned keys, those of floating-point keys in the type in which keys are computed; an integer k is in bin floor((k -
/// low) bins / (high - low)), exactly. A number x is in bin floor((x - low) s), s = bins / (high - low), each operation rounded in the
/// keys' type (float for half and bfloat16): the same on every backend. Counts are integers of 32 or 64 bits, as the view's element type
/// says; what they held before does not matter. Keys that are all the same do not make it slow. Does not synchronise. Throws
/// invalid_argument if there are no bins, if a bound of integer keys is not one of that type (-1 for unsigned keys, 0.5), if not low <
/// high, if a float bound is not finite, or if the views overlap.
template <stream_type Stream, view_like In, view_like Out, detail::number Low, detail::number High>
void histogram(Stream const& stream, In const& in, Out&& counts, Low from, High to, source_location where = source_location::current()) {
  detail::require_handles("histogram", where, stream, in, counts);
  detail::check_histogram_types<In const, Out>();
  using T = detail::value_of<In const>;
  auto const low = detail::bound_in<detail::bound_of<In const>>(from, "histogram", "bound", where);
  auto const high = detail::bound_in<detail::bound_of<In const>>(to, "histogram", "bound", where);
  index_t const bins = detail::as_view(counts).size();
  detail::require(bins > 0, where, "histogram: there are no bins");
  detail::require(low < high, where, "histogram: the range from ", low, " to ", high, " is empty");
  if constexpr (std::is_integral_v<T>) {
    detail::count_bins(stream, in, counts,
                       detail::plan_integer_bins(std::uint64_t(low), std::uint64_t(high) - std::uint64_t(low) - 1, bins), where);
  } else {
    using value = detail::bin_value<T>;
    constexpr value most = std::numeric_limits<value>::max();
    value const scale = value(bins) / (high - low);
    detail::require(low >= -most && high <= most && high - low <= most && scale <= most, where, "histogram: the range from ", low, " to ",
                    high, ", or the inverse of its width, is not finite");
    detail::count_bins(stream, in, counts, detail::float_bins<value>{low, high, scale, std::uint64_t(bins)}, where);
  }
}

/// histogram over all values of an integer type: 256 bins count each value of a byte.
template <stream_type Stream, view_like In, view_like Out>
requires std::integral<detail::value_of<In const>>
void histogram(Stream const& stream, In const& in, Out&& counts, source_location where = source_location::current()) {
  detail::require_handles("histogram", where, stream, in, counts);
  detail::check_histogram_types<In const, Out>();
  using limits = std::numeric_limits<detail::value_of<In const>>;
  index_t const bins = detail::as_view(counts).size();
  detail::require(bins > 0, where, "histogram: there are no bins");
  auto const low = std::uint64_t(limits::min());
  detail::count_bins(stream, in, counts, detail::plan_integer_bins(low, std::uint64_t(limits::max()) - low, bins), where);
}

}  // namespace dolmen
