// Reductions on the CPU, for the library's own reducers (reduce_*.cpp) and users' (from their own files).
#pragma once

#include "../../algorithms/reducers.hpp"
#include "launch.hpp"
#include "memory.hpp"

namespace dolmen::cpu::impl {

using namespace dolmen::detail;

// Lanes that combine independently, folded in halves: the order is fixed, and the error of a sum grows with the logarithm of
// the block. Blocks are read once into the first-level cache.
inline constexpr index_t lanes = 64, block = 2048;

/// One after the other. n >= 1, as everywhere here.
template <class File, class V, class R, class A, class B>
inline V fold_chain(R const& r, run<A, B> in, index_t n, index_t first) {
  V v = lift_at<V>(r, in, 0, first);
  for (index_t i = 1; i < n; ++i) v = r.template combine<V>(v, lift_at<V>(r, in, i, first + i));
  return v;
}

template <class File, class V, class R, class A, class B>
inline V fold_lanes(R const& r, run<A, B> in, index_t n, index_t first) {
  if (n < lanes) return fold_chain<File, V>(r, in, n, first);
  V lane[lanes];
  DOLMEN_SIMD for (index_t l = 0; l < lanes; ++l) lane[l] = lift_at<V>(r, in, l, first + l);
  index_t i = lanes;
  for (; i + lanes <= n; i += lanes) {
    DOLMEN_SIMD for (index_t l = 0; l < lanes; ++l) lane[l] = r.template combine<V>(lane[l], lift_at<V>(r, in, i + l, first + i + l));
  }
  index_t const rest = n - i;
  for (index_t l = 0; l < rest; ++l) lane[l] = r.template combine<V>(lane[l], lift_at<V>(r, in, i + l, first + i + l));
  for (index_t half = lanes / 2; half > 0; half /= 2)
    for (index_t l = 0; l < half; ++l) lane[l] = r.template combine<V>(lane[l], lane[l + half]);
  return lane[0];
}

/// In order: eight chains side by side, each over neighbours.
template <class File, class V, class R, class A, class B>
inline V fold_ordered(R const& r, run<A, B> in, index_t n, index_t first) {
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

/// Up to `block` elements.
template <class File, class R, class A, class B>
inline typename R::value fold_block(R const& r, run<A, B> in, index_t n, index_t first) {
  using V = typename R::value;
  if constexpr (requires { typename R::key; }) {
    auto const extreme = fold_lanes<File, typename R::key_type>(typename R::key{}, in, n, first);
    index_t i = 0;
    while (i + 1 < n && !R::is(static_cast<typename R::key_type>(in.a[i]), extreme)) ++i;
    return {extreme, first + i};
  } else if constexpr (requires { typename R::low; }) {
    using K = typename R::key_type;
    return {fold_lanes<File, K>(typename R::low{}, in, n, first), fold_lanes<File, K>(typename R::high{}, in, n, first)};
  } else if constexpr (R::commutative) {
    return static_cast<V>(fold_lanes<File, typename R::narrow>(r, in, n, first));
  } else {
    return fold_ordered<File, V>(r, in, n, first);
  }
}

/// Half of n, rounded up to whole leaves.
constexpr index_t left_half(index_t n, index_t leaf) { return ceil_div(ceil_div(n, leaf), index_t(2)) * leaf; }

/// Pairwise above the blocks.
template <class File, class R, class A, class B>
inline typename R::value fold_run(R const& r, run<A, B> in, index_t n, index_t first) {
  if (n <= block) return fold_block<File>(r, in, n, first);
  index_t const half = left_half(n, block);
  auto const left = fold_run<File>(r, in, half, first);
  return r.template combine<typename R::value>(left, fold_run<File>(r, in.from(half), n - half, first + half));
}

/// The elements [begin, end) in row-major order: the same tree, whose leaves are parts of rows one after the other.
template <class File, class R, class A, class B>
inline typename R::value fold_range(R const& r, strided_runs<A, B> const& in, index_t begin, index_t end) {
  using V = typename R::value;
  if (in.contiguous()) return fold_run<File>(r, in.data.from(begin), end - begin, begin);
  index_t const columns = in.extent[2], leaf = columns < lanes ? 2 * lanes : block;
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
    length = max(smallest, ceil_div(ceil_div(n, most), block) * block);
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
    run_ranges(c.count, 4, [&](index_t begin, index_t end, scratch&) {
      for (index_t k = begin; k < end; ++k) values[k] = fold_range<File>(r, in, k * c.length, min((k + 1) * c.length, c.n));
    });
    *out = r.finish(fold_partials<File>(r, values, c.count));
  }
}

}  // namespace dolmen::cpu::impl
