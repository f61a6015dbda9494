// Reductions on the CPU, for the library's own reducers (reduce_*.cpp) and users' (from their own files).
#pragma once

#include "../../algorithms/reducers.hpp"
#include "halves.hpp"
#include "launch.hpp"
#include "memory.hpp"

// Loops that are compiled once for all that call them.
#if defined(__clang__)
#define DOLMEN_CPU_ONE_COPY [[gnu::noinline]]
#else
#define DOLMEN_CPU_ONE_COPY [[gnu::noinline, gnu::noclone]]
#endif

namespace dolmen::cpu::impl {

using namespace dolmen::detail;

// Lanes that combine independently, folded in halves: the order is fixed, and the error of a sum grows with the logarithm of
// the block. Blocks are read once into the first-level cache.
inline constexpr index_t lanes = 64, block_size = 2048;

/// One after the other. n >= 1, as everywhere here.
template <class File, class V, class R, class A, class B>
DOLMEN_CPU_ONE_COPY inline V fold_chain(R const& r, run<A, B> in, index_t n, index_t first) {
  V v = lift_at<V>(r, in, 0, first);
  for (index_t i = 1; i < n; ++i) v = r.template combine<V>(v, lift_at<V>(r, in, i, first + i));
  return v;
}

/// 2 * Half values, the upper half onto the lower and so on. The counts are constants, so that all of it is vectorised.
template <class File, index_t Half, class V, class R>
inline void fold_halves(R const& r, V* v) {
  DOLMEN_SIMD for (index_t l = 0; l < Half; ++l) v[l] = r.template combine<V>(v[l], v[l + Half]);
  if constexpr (Half > 1) fold_halves<File, Half / 2>(r, v);
}

/// In lanes of type U, whose 32 elements it can hold, and from there in V.
template <class File, class U, class V, class R, class A, class B>
DOLMEN_CPU_ONE_COPY inline V fold_lanes(R const& r, run<A, B> in, index_t n, index_t first) {
  if (n < lanes) return fold_chain<File, V>(r, in, n, first);
  U lane[lanes];
  DOLMEN_SIMD for (index_t l = 0; l < lanes; ++l) lane[l] = lift_at<U>(r, in, l, first + l);
  index_t i = lanes;
  for (; i + lanes <= n; i += lanes) {
    DOLMEN_SIMD for (index_t l = 0; l < lanes; ++l) lane[l] = r.template combine<U>(lane[l], lift_at<U>(r, in, i + l, first + i + l));
  }
  index_t const rest = n - i;
  for (index_t l = 0; l < rest; ++l) lane[l] = r.template combine<U>(lane[l], lift_at<U>(r, in, i + l, first + i + l));
  V total[lanes / 2];
  DOLMEN_SIMD for (index_t l = 0; l < lanes / 2; ++l) total[l] =
      r.template combine<V>(static_cast<V>(lane[l]), static_cast<V>(lane[l + lanes / 2]));
  fold_halves<File, lanes / 4>(r, total);
  return total[0];
}

template <class File, index_t Half, class K, class Flag>
inline void fold_extreme_halves(K* low, K* high, Flag* odd) {
  DOLMEN_SIMD for (index_t l = 0; l < Half; ++l) {
    low[l] = low[l + Half] < low[l] ? low[l + Half] : low[l];
    high[l] = high[l] < high[l + Half] ? high[l + Half] : high[l];
    odd[l] |= odd[l + Half];
  }
  if constexpr (Half > 1) fold_extreme_halves<File, Half / 2>(low, high, odd);
}

/// Minimum and maximum of floats by comparisons alone. NaNs are noted; where there is one, or an extreme is 0 (which has two
/// signs), false is returned, and the exact operators have to tell. n >= lanes.
template <class File, class K, class T>
DOLMEN_CPU_ONE_COPY inline bool fold_extremes(T const* in, index_t n, K& least, K& greatest) {
  using flag = std::conditional_t<sizeof(K) == 8, std::int64_t, std::int32_t>;
  K low[lanes], high[lanes];
  flag odd[lanes];
  DOLMEN_SIMD for (index_t l = 0; l < lanes; ++l) {
    low[l] = high[l] = static_cast<K>(in[l]);
    odd[l] = low[l] != low[l];
  }
  auto const step = [&](index_t i, index_t count) {
    DOLMEN_SIMD for (index_t l = 0; l < count; ++l) {
      K const x = static_cast<K>(in[i + l]);
      low[l] = x < low[l] ? x : low[l];
      high[l] = high[l] < x ? x : high[l];
      odd[l] |= x != x;
    }
  };
  index_t i = lanes;
  for (; i + lanes <= n; i += lanes) step(i, lanes);
  step(i, n - i);
  fold_extreme_halves<File, lanes / 2>(low, high, odd);
  least = low[0], greatest = high[0];
  return odd[0] == 0 && least != 0 && greatest != 0;
}

template <class R>
inline constexpr bool is_float_extreme = false;

/// The lanes' type: the narrowest that holds 32 elements' worth.
template <class R>
struct lane_type {
  using type = typename R::narrow;
};
template <class T, class V>
requires(sizeof(T) == 1) struct lane_type<op_reducer<T, V, plus, V>> {
  using type = std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>;
};
template <class T, class V>
requires(sizeof(T) == 1) struct lane_type<dot_reducer<T, V>> {
  using type = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
};

/// In order: eight chains side by side, each over neighbours.
template <class File, class V, class R, class A, class B>
DOLMEN_CPU_ONE_COPY inline V fold_ordered(R const& r, run<A, B> in, index_t n, index_t first) {
  constexpr index_t chains = 8;
  if (n < 4 * chains) return fold_chain<File, V>(r, in, n, first);
  index_t const length = n / chains;
  V chain[chains];
  for (index_t c = 0; c < chains; ++c) chain[c] = lift_at<V>(r, in, c * length, first + c * length);
  for (index_t i = 1; i < length; ++i)
    for (index_t c = 0; c < chains; ++c)
      chain[c] = r.template combine<V>(chain[c], lift_at<V>(r, in, c * length + i, first + c * length + i));
  for (index_t i = chains * length; i < n; ++i)
    chain[chains - 1] = r.template combine<V>(chain[chains - 1], lift_at<V>(r, in, i, first + i));
  for (index_t distance = 1; distance < chains; distance *= 2)
    for (index_t c = 0; c + distance < chains; c += 2 * distance) chain[c] = r.template combine<V>(chain[c], chain[c + distance]);
  return chain[0];
}

/// The same reduction of floats, for the library's own reducers of halves: those become floats a block at a time, by the CPU's
/// instruction where it has one.
template <class Op, class Result>
op_reducer<float, float, Op> floats_of(op_reducer<half, float, Op, Result> const&) {
  return {};
}
inline dot_reducer<float, float> floats_of(dot_reducer<half, float> const&) { return {}; }

template <class File, class R, class A, class B>
inline typename R::value fold_block(R const& r, run<A, B> in, index_t n, index_t first);

/// The place of an extreme: v becomes the first better one of up to `block_size` elements behind it. Most have none, and are read
/// by comparisons alone.
template <class File, class R, class A>
inline void improve(R const& r, typename R::value& v, run<A> in, index_t n, index_t first) {
  using K = typename R::key_type;
  K const extreme = fold_block<File>(r.by, in, n, first);
  if (!R::before(extreme, v.key)) return;
  K const sought = r.sought(extreme);
  index_t i = 0;
  while (i + 1 < n && !R::is(static_cast<K>(in.a[i]), sought)) ++i;
  v = {extreme, first + i};
}

template <class File, class R, class A, class B>
DOLMEN_CPU_ONE_COPY inline typename R::value fold_as_floats(R const& r, run<A, B> in, index_t n, index_t first) {
  float a[block_size];
  a[0] = 0;  // compilers do not know that n >= 1
  widen(in.a, a, n);
  auto const floats = floats_of(r);
  if constexpr (std::same_as<B, no_input>) {
    return fold_block<File>(floats, run<float>{a, nullptr}, n, first);
  } else {
    float b[block_size];
    b[0] = 0;
    widen(in.b, b, n);
    return fold_block<File>(floats, run<float, float>{a, b}, n, first);
  }
}

/// Up to `block_size` elements.
template <class File, class R, class A, class B>
inline typename R::value fold_block(R const& r, run<A, B> in, index_t n, index_t first) {
  using V = typename R::value;
  if constexpr (requires { floats_of(r); }) {
    return fold_as_floats<File>(r, in, n, first);
  } else if constexpr (requires { r.by; }) {
    V v = lift_at<V>(r, in, 0, first);
    improve<File>(r, v, in, n, first);
    return v;
  } else if constexpr (requires { r.low; }) {
    using K = typename R::key_type;
    K least, greatest;
    if constexpr (has_nan<K>)
      if (n >= lanes && fold_extremes<File>(in.a, n, least, greatest)) return {r.low.turned(least), r.high.turned(greatest)};
    return {fold_lanes<File, K, K>(r.low, in, n, first), fold_lanes<File, K, K>(r.high, in, n, first)};
  } else if constexpr (is_float_extreme<R>) {
    V least, greatest;
    if (n >= lanes && fold_extremes<File>(in.a, n, least, greatest)) return r.turned(r.greatest ? greatest : least);
    return fold_lanes<File, V, V>(r, in, n, first);
  } else if constexpr (R::commutative) {
    return fold_lanes<File, typename lane_type<R>::type, V>(r, in, n, first);
  } else {
    return fold_ordered<File, V>(r, in, n, first);
  }
}

/// Half of n, rounded up to whole leaves.
constexpr index_t left_half(index_t n, index_t leaf) { return ceil_div(ceil_div(n, leaf), index_t(2)) * leaf; }

/// Pairwise above the blocks.
template <class File, class R, class A, class B>
inline typename R::value fold_run(R const& r, run<A, B> in, index_t n, index_t first) {
  if (n <= block_size) return fold_block<File>(r, in, n, first);
  if constexpr (requires { r.by; }) {
    auto v = fold_block<File>(r, in, block_size, first);
    for (index_t i = block_size; i < n; i += block_size) improve<File>(r, v, in.from(i), min(block_size, n - i), first + i);
    return v;
  }
  index_t const half = left_half(n, block_size);
  auto const left = fold_run<File>(r, in, half, first);
  return r.template combine<typename R::value>(left, fold_run<File>(r, in.from(half), n - half, first + half));
}

/// The elements [begin, end) in row-major order: the same tree, whose leaves are parts of rows one after the other.
template <class File, class R, class A, class B>
inline typename R::value fold_range(R const& r, strided_runs<A, B> const& in, index_t begin, index_t end) {
  using V = typename R::value;
  if (in.contiguous()) return fold_run<File>(r, in.data.from(begin), end - begin, begin);
  index_t const columns = in.extent[2], leaf = columns < lanes ? 2 * lanes : block_size;
  if (index_t const n = end - begin; n > leaf) {
    index_t const middle = begin + left_half(n, leaf);
    V const left = fold_range<File>(r, in, begin, middle);
    return r.template combine<V>(left, fold_range<File>(r, in, middle, end));
  }
  auto const piece = [&](index_t i, index_t count) { return fold_block<File>(r, in.row(i / columns).from(i % columns), count, i); };
  index_t const start = min(columns - begin % columns, end - begin);
  V v = piece(begin, start);
  for (index_t i = begin + start; i < end; i += columns) v = r.template combine<V>(v, piece(i, min(columns, end - i)));
  return v;
}

/// Chunks that are folded apart: a matter of the size alone, so that results do not depend on the threads at hand.
struct chunks {
  index_t n, length, count;
  explicit chunks(index_t size, index_t most = 2048) : n(size) {
    constexpr index_t smallest = 8192;
    length = max(smallest, ceil_div(ceil_div(n, most), block_size) * block_size);
    count = ceil_div(n, length);
  }
};

/// Values in order, pairwise.
template <class File, class R>
inline typename R::value fold_partials(R const& r, typename R::value const* partial, index_t n) {
  using V = typename R::value;
  if (n <= 8) {
    V v = partial[0];
    for (index_t i = 1; i < n; ++i) v = r.template combine<V>(v, partial[i]);
    return v;
  }
  V const left = fold_partials<File>(r, partial, n / 2);
  return r.template combine<V>(left, fold_partials<File>(r, partial + n / 2, n - n / 2));
}

template <class R>
constexpr void require_values() {
  static_assert(std::is_default_constructible_v<typename R::value> && element_type<typename R::value>,
                "reduce: the type of the reduction is trivially copyable and has a default constructor");
}

template <class File, class R, class A, class B>
inline void reduce_whole(stream const& s, R const& r, strided_runs<A, B> const& in, typename R::result* out, source_location where) {
  require_values<R>();
  chunks const c(in.size());
  if (c.n == 0) {
    *out = r.nothing();
  } else if (c.count == 1) {
    *out = r.finish(fold_range<File>(r, in, 0, c.n));
  } else {
    buffer<typename R::value, backend> partial(s, c.count, memory::pooled, where);
    auto* const values = partial.data();
    run_ranges(c.count, 4, [=](index_t begin, index_t end, scratch&) {
      for (index_t k = begin; k < end; ++k) values[k] = fold_range<File>(r, in, k * c.length, min((k + 1) * c.length, c.n));
    });
    *out = r.finish(fold_partials<File>(r, values, c.count));
  }
}

}  // namespace dolmen::cpu::impl
