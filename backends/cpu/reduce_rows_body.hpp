// Reductions along rows and columns on the CPU.
#pragma once

#include "../../algorithms/reduce_rows.hpp"
#include "reduce_body.hpp"

namespace dolmen::cpu::impl {

// Elements below which a second thread costs more than it saves.
inline constexpr index_t smallest_share = 32768;

/// Calls body(p, first, count) for the lines [begin, end) of all planes, plane by plane.
template <class Body>
inline void each_plane(index_t begin, index_t end, index_t lines, Body const& body) {
  while (begin < end) {
    index_t const p = begin / lines, first = begin % lines, count = min(lines - first, end - begin);
    body(p, first, count);
    begin += count;
  }
}

/// out[i] = the result of v[i].
template <class File, class R>
DOLMEN_CPU_ONE_COPY inline void finish_values(R const& r, typename R::value const* v, index_t n, typename R::result* out) {
  for (index_t i = 0; i < n; ++i) out[i] = r.finish(v[i]);
}

/// v[i] joined with w[i].
template <class File, class R>
DOLMEN_CPU_ONE_COPY inline void combine_values(R const& r, typename R::value* v, typename R::value const* w, index_t n) {
  using V = typename R::value;
  DOLMEN_SIMD for (index_t i = 0; i < n; ++i) v[i] = r.template combine<V>(v[i], w[i]);
}

// Short rows are reduced several side by side: one after the other they would wait for each operation.
inline constexpr index_t rows_at_once = 16;

/// Places of extremes, column by column: column(c)[k * step] is element c of row k. Keys and places have one width, so that they are
/// compared and chosen side by side.
template <class R, class Column>
inline void short_places(R const& r, index_t columns, index_t step, Column const& column, index_t* out) {
  using K = typename R::key_type;
  using place = std::make_signed_t<word_of<K>>;
  K best[rows_at_once];
  place where[rows_at_once];
  auto const* const first = column(0);
  DOLMEN_SIMD for (index_t k = 0; k < rows_at_once; ++k) best[k] = r.by.template lift<K>(0, first[k * step]), where[k] = 0;
  for (index_t c = 1; c < columns; ++c) {
    auto const* const from = column(c);
    auto const here = static_cast<place>(c);
    DOLMEN_SIMD for (index_t k = 0; k < rows_at_once; ++k) {
      K const x = r.by.template lift<K>(c, from[k * step]);
      bool const better = R::before(x, best[k]);
      best[k] = better ? x : best[k];
      where[k] = better ? here : where[k];
    }
  }
  for (index_t k = 0; k < rows_at_once; ++k) out[k] = where[k];
}

template <class File, class R>
DOLMEN_CPU_ONE_COPY inline void reduce_short_rows(R const& r, typename R::first const* in, index_t row_stride, index_t rows,
                                                  index_t columns, typename R::result* out) {
  using V = typename R::value;
  using T = typename R::first;
  index_t row = 0;
  for (; row + rows_at_once <= rows; row += rows_at_once) {
    T const* const from = in + row * row_stride;
    auto const column = [=](index_t c) { return from + c; };
    if constexpr (requires { r.by; }) {
      short_places(r, columns, row_stride, column, out + row);
    } else {
      V v[rows_at_once];
      DOLMEN_SIMD for (index_t k = 0; k < rows_at_once; ++k) v[k] = r.template lift<V>(0, from[k * row_stride]);
      for (index_t c = 1; c < columns; ++c) {
        T const* const next = column(c);
        DOLMEN_SIMD for (index_t k = 0; k < rows_at_once; ++k) v[k] =
            r.template combine<V>(v[k], r.template lift<V>(c, next[k * row_stride]));
      }
      finish_values<File>(r, v, rows_at_once, out + row);
    }
  }
  for (; row < rows; ++row) out[row] = r.finish(fold_chain<File, V>(r, run<T>{in + row * row_stride, nullptr}, columns, 0));
}

/// Few long rows, each in chunks.
template <class File, class R>
inline void reduce_long_rows(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                             source_location where) {
  chunks const c(plan.columns, 256);
  index_t const lines = plan.planes * plan.rows;
  buffer<typename R::value, backend> partial(s, lines * c.count, memory::pooled, where);
  auto* const values = partial.data();
  run_ranges(lines * c.count, 4, [&](index_t begin, index_t end, scratch&) {
    for (index_t i = begin; i < end; ++i) {
      index_t const line = i / c.count, first = i % c.count * c.length;
      auto const* const row = in + line / plan.rows * plan.plane_stride + line % plan.rows * plan.row_stride;
      values[i] = fold_run<File>(r, run<typename R::first>{row + first, nullptr}, min(c.length, c.n - first), first);
    }
  });
  for (index_t line = 0; line < lines; ++line)
    out[line / plan.rows * plan.out_stride + line % plan.rows] = r.finish(fold_partials<File>(r, values + line * c.count, c.count));
}

template <class File, class R>
inline void reduce_rows(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                        source_location where) {
  require_values<R>();
  index_t const lines = plan.planes * plan.rows, columns = plan.columns;
  if (lines < 64 && columns >= 2 * smallest_share) return reduce_long_rows<File>(s, r, plan, in, out, where);
  run_ranges(lines, ceil_div(smallest_share, max(columns, index_t(1))), [&](index_t begin, index_t end, scratch&) {
    each_plane(begin, end, plan.rows, [&](index_t p, index_t first, index_t count) {
      auto const* const from = in + p * plan.plane_stride + first * plan.row_stride;
      auto* const to = out + p * plan.out_stride + first;
      if (columns == 0)
        for (index_t i = 0; i < count; ++i) to[i] = r.nothing();
      else if (columns < lanes)
        reduce_short_rows<File>(r, from, plan.row_stride, count, columns, to);
      else
        for (index_t i = 0; i < count; ++i)
          to[i] = r.finish(fold_run<File>(r, run<typename R::first>{from + i * plan.row_stride, nullptr}, columns, 0));
    });
  });
}

// --- columns ----------------------------------------------------------------------------------------------------------

inline constexpr index_t most_width = 256, rows_of_leaf = 64;

/// Up to `most_width` columns over all rows, in order: chains of 64 rows, pairwise above.
template <class File, class R>
DOLMEN_CPU_ONE_COPY inline void fold_columns(R const& r, typename R::first const* in, index_t row_stride, index_t rows, index_t width,
                                             typename R::value* v) {
  using V = typename R::value;
  using U = typename R::narrow;
  if (rows > rows_of_leaf) {
    index_t const upper = left_half(rows, rows_of_leaf);
    V lower[most_width];
    fold_columns<File>(r, in, row_stride, upper, width, v);
    fold_columns<File>(r, in + upper * row_stride, row_stride, rows - upper, width, lower);
    combine_values<File>(r, v, lower, width);
    return;
  }
  U u[most_width];
  DOLMEN_SIMD for (index_t c = 0; c < width; ++c) u[c] = r.template lift<U>(0, in[c]);
  for (index_t row = 1; row < rows; ++row) {
    auto const* const from = in + row * row_stride;
    DOLMEN_SIMD for (index_t c = 0; c < width; ++c) u[c] = r.template combine<U>(u[c], r.template lift<U>(0, from[c]));
  }
  DOLMEN_SIMD for (index_t c = 0; c < width; ++c) v[c] = static_cast<V>(u[c]);
}

/// A few columns without gaps between the rows: several rows are one wider row, if the operator does not mind.
template <class File, class R>
inline void fold_few_columns(R const& r, typename R::first const* in, index_t row_stride, index_t rows, index_t width,
                             typename R::value* v) {
  using V = typename R::value;
  index_t const joined = most_width / 2 / width, wide_rows = rows / max(joined, index_t(1));
  if (!R::commutative || row_stride != width || joined < 2 || wide_rows == 0) return fold_columns<File>(r, in, row_stride, rows, width, v);
  V wide[most_width];
  fold_columns<File>(r, in, joined * width, wide_rows, joined * width, wide);
  for (index_t half = joined; half > 1; half = ceil_div(half, index_t(2)))
    combine_values<File>(r, wide, wide + ceil_div(half, index_t(2)) * width, half / 2 * width);
  for (index_t c = 0; c < width; ++c) v[c] = wide[c];
  if (index_t const done = wide_rows * joined; done < rows) {
    V rest[most_width];
    fold_columns<File>(r, in + done * row_stride, row_stride, rows - done, width, rest);
    combine_values<File>(r, v, rest, width);
  }
}

template <class File, class R>
inline void reduce_columns(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                           source_location where) {
  require_values<R>();
  using V = typename R::value;
  index_t const groups = ceil_div(plan.columns, most_width), blocks = plan.planes * groups;
  // Parts of the rows, by the shape alone.
  index_t const part = blocks >= 64
                           ? max(plan.rows, index_t(1))
                           : max(index_t(8) * rows_of_leaf, ceil_div(ceil_div(plan.rows, index_t(256)), rows_of_leaf) * rows_of_leaf);
  index_t const parts = max(index_t(1), ceil_div(plan.rows, part));
  buffer<V, backend> partial(s, parts > 1 ? parts * plan.planes * plan.columns : 0, memory::pooled, where);
  V* const values = partial.data();
  index_t const share = min(part, max(plan.rows, index_t(1))) * min(plan.columns, most_width);
  run_ranges(blocks * parts, ceil_div(smallest_share, share), [&](index_t begin, index_t end, scratch&) {
    for (index_t i = begin; i < end; ++i) {
      index_t const b = i / parts, first = i % parts * part, p = b / groups, column = b % groups * most_width;
      index_t const width = min(most_width, plan.columns - column), rows = min(part, plan.rows - first);
      auto* const to = out + p * plan.out_stride + column;
      if (rows == 0) {
        for (index_t c = 0; c < width; ++c) to[c] = r.nothing();
        continue;
      }
      V v[most_width];
      fold_few_columns<File>(r, in + p * plan.plane_stride + first * plan.row_stride + column, plan.row_stride, rows, width, v);
      if (parts == 1)
        finish_values<File>(r, v, width, to);
      else
        for (index_t c = 0; c < width; ++c) values[(p * plan.columns + column + c) * parts + i % parts] = v[c];
    }
  });
  if (parts == 1) return;
  run_ranges(plan.planes * plan.columns, ceil_div(smallest_share, parts), [&](index_t begin, index_t end, scratch&) {
    for (index_t i = begin; i < end; ++i)
      out[i / plan.columns * plan.out_stride + i % plan.columns] = r.finish(fold_partials<File>(r, values + i * parts, parts));
  });
}

}  // namespace dolmen::cpu::impl
