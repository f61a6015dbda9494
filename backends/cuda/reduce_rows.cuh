// Reductions along rows and columns on a GPU. Short rows: several per warp; rows: one per warp; long rows: one per block, or parts
// of one, which the last block joins. Columns: threads side by side along the rows, and blocks over parts of the rows.
#pragma once

#include "../../algorithms/reduce_rows.hpp"
#include "reduce_parts.cuh"

namespace dolmen::cuda::impl::reduction {

__device__ __forceinline__ index_t start_of(rows_plan const& plan, index_t line) {
  if (plan.planes == 1) return line * plan.row_stride;
  index_t const p = line / plan.rows;
  return p * plan.plane_stride + (line - p * plan.rows) * plan.row_stride;
}
__device__ __forceinline__ index_t result_of(rows_plan const& plan, index_t line) {
  if (plan.planes == 1) return line;
  index_t const p = line / plan.rows;
  return p * plan.out_stride + line - p * plan.rows;
}

template <class R, class V>
__device__ __forceinline__ void write(R const& r, maybe<V> const& v, typename R::result* to) {
  require_device_functions<R>();
  *to = v.has ? r.finish(v.value) : r.nothing();
}

// --- rows -------------------------------------------------------------------------------------------------------------

inline constexpr int most_per_lane = 4;

/// Rows of up to G * 4 elements: G lanes for each. All loads of a lane are under way at once, so that those it does not need read
/// the row's last element.
template <int G, class R>
__global__ void __launch_bounds__(threads)
    reduce_short_rows(__grid_constant__ R const r, rows_plan const plan, typename R::first const* in, typename R::result* out) {
  using V = typename R::value;
  using A = typename R::first;
  constexpr int rows_of_block = threads / G;
  index_t const lines = plan.planes * plan.rows;
  int const l = threadIdx.x % G, columns = int(plan.columns), each = (columns + G - 1) / G;
  for (index_t line0 = index_t(blockIdx.x) * rows_of_block; line0 < lines; line0 += index_t(gridDim.x) * rows_of_block) {
    index_t const line = line0 + threadIdx.x / G;
    maybe<V> v{V(), false};
    if (line < lines && columns > 0) {
      A const* const row = in + start_of(plan, line);
      auto const column = [&](int k) { return R::commutative ? k * G + l : l * each + k; };
      auto const at = [&](int k) { return row[min(column(k), columns - 1)]; };
      A const x[most_per_lane] = {at(0), at(1), at(2), at(3)};
#pragma unroll
      for (int k = 0; k < most_per_lane; ++k)
        if (k < each && column(k) < columns) join(r, v, maybe<V>{r.template lift<V>(column(k), x[k]), true});
    }
    fold_lanes<G>(r, v);
    if (l == 0 && line < lines) write(r, v, out + result_of(plan, line));
  }
}

template <int W, class R>
__global__ void __launch_bounds__(threads)
    reduce_rows_by_warps(__grid_constant__ R const r, rows_plan const plan, typename R::first const* in, typename R::result* out) {
  using V = typename R::value;
  index_t const lines = plan.planes * plan.rows;
  for (index_t line = index_t(blockIdx.x) * warps + threadIdx.x / 32; line < lines; line += index_t(gridDim.x) * warps) {
    maybe<V> v{V(), false};
    take_run<W>(r, v, run<typename R::first>{in + start_of(plan, line), nullptr}, plan.columns, 0);
    fold_lanes<32>(r, v);
    if (threadIdx.x % 32 == 0) write(r, v, out + result_of(plan, line));
  }
}

/// `segments` parts of each row, of `segment` elements.
template <int W, class R>
__global__ void __launch_bounds__(threads)
    reduce_rows_by_blocks(__grid_constant__ R const r, rows_plan const plan, index_t segment, index_t segments, typename R::first const* in,
                          typename R::value* partial, unsigned* ticket, typename R::result* out) {
  using V = typename R::value;
  index_t const lines = plan.planes * plan.rows, parts = lines * segments;
  int const w = threadIdx.x / 32, l = threadIdx.x % 32;
  for (index_t part = blockIdx.x; part < parts; part += gridDim.x) {
    index_t const line = part / segments, column = (part - line * segments) * segment, count = min(segment, plan.columns - column);
    index_t const share = ceil_div(ceil_div(count, index_t(warps)), index_t(32 * W)) * (32 * W), begin = min(w * share, count);
    maybe<V> v{V(), false};
    take_run<W>(r, v, run<typename R::first>{in + start_of(plan, line) + column + begin, nullptr}, min(share, count - begin),
                column + begin);
    fold_block(r, v);
    if (threadIdx.x == 0) {
      if (segments == 1)
        write(r, v, out + result_of(plan, line));
      else
        partial[part] = v.value;
    }
    __syncthreads();
  }
  if (segments == 1 || !last_block(ticket, gridDim.x)) return;
  index_t const each = ceil_div(segments, index_t(32));
  for (index_t line = w; line < lines; line += warps) {
    maybe<V> v{V(), false};
    for (index_t s = l * each; s < min((l + 1) * each, segments); ++s) join(r, v, maybe<V>{partial[line * segments + s], true});
    fold_lanes<32>(r, v);
    if (l == 0) write(r, v, out + result_of(plan, line));
  }
}

template <class File, int G, class R>
void launch_short_rows(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                       source_location where) {
  if constexpr (G < 32)
    if (plan.columns > G * most_per_lane) return launch_short_rows<File, 4 * G>(s, r, plan, in, out, where);
  constexpr index_t rows_of_block = threads / G, most_blocks = 1 << 20;
  unsigned const blocks = unsigned(min(ceil_div(plan.planes * plan.rows, rows_of_block), most_blocks));
  launch_native(s, "reduce_rows", blocks, threads, 0, where, reduce_short_rows<G, R>, r, plan, in, out);
}

template <class File, int W, class R>
void launch_rows(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                 source_location where) {
  using A = typename R::first;
  constexpr index_t longest_of_warp = 65536 / index_t(sizeof(A));
  index_t const lines = plan.planes * plan.rows;
  constexpr auto by_warps = reduce_rows_by_warps<W, R>;
  constexpr auto by_blocks = reduce_rows_by_blocks<W, R>;
  index_t const resident = resident_blocks<File, by_warps>(s, where);
  if ((lines >= resident * warps / 2 && plan.columns <= longest_of_warp) || plan.columns <= 1024) {
    launch_native(s, "reduce_rows", unsigned(min(resident, ceil_div(lines, index_t(warps)))), threads, 0, where, by_warps, r, plan, in,
                  out);
    return;
  }
  constexpr index_t smallest = 8192;
  index_t const at_once = resident_blocks<File, by_blocks>(s, where);
  index_t const wanted = lines >= at_once ? 1 : at_once / lines;
  index_t const segment = max(smallest, ceil_div(ceil_div(plan.columns, wanted), smallest) * smallest);
  index_t const segments = lines >= at_once ? 1 : ceil_div(plan.columns, segment);
  index_t const length = segments == 1 ? plan.columns : segment;
  unsigned const blocks = unsigned(min(lines * segments, at_once));
  auto const launch = [&](typename R::value* partial, unsigned* ticket) {
    launch_native(s, "reduce_rows", blocks, threads, 0, where, by_blocks, r, plan, length, segments, in, partial, ticket, out);
  };
  if (segments == 1) return launch(nullptr, nullptr);
  buffer<typename R::value, backend> partial(s, lines * segments, memory::pooled, where);
  tickets const counted(s, 1, where);
  launch(partial.data(), counted.words());
}

template <class File, class R>
void reduce_rows(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                 source_location where) {
  require_values<R>();
  using A = typename R::first;
  constexpr int W = width<A, no_input>;
  device_guard guard(s.device_index(), where);
  if (plan.columns <= 32 * most_per_lane) return launch_short_rows<File, 2>(s, r, plan, in, out, where);
  if constexpr (!always_together<A, no_input>)
    if (!together<W>(run<A>{in, nullptr})) return launch_rows<File, 1>(s, r, plan, in, out, where);
  launch_rows<File, W>(s, r, plan, in, out, where);
}

// --- columns ----------------------------------------------------------------------------------------------------------

/// A block has `x` threads along the columns, W columns each, and all others along the rows. `groups` blocks lie side by side,
/// `segments` of them, of `segment` rows, below each other.
struct columns_plan {
  int x;
  index_t groups, segment, segments;
};

/// The values of the threads of one column, from the first row to the last, for those with y == 0.
template <int W, class R, class V>
__device__ __forceinline__ void fold_down(R const& r, int x, V (&v)[W], bool& has) {
  __shared__ alignas(alignof(V)) unsigned char raw[threads * W * sizeof(V)];
  __shared__ bool any[threads];
  auto* const values = reinterpret_cast<V*>(raw);
  int const t = threadIdx.x, y = t / x;
#pragma unroll
  for (int w = 0; w < W; ++w) values[w * threads + t] = v[w];
  any[t] = has;
  for (int d = 1; d * x < threads; d *= 2) {
    __syncthreads();
    int const other = t + d * x;
    if (y % (2 * d) != 0 || other >= threads || !any[other]) continue;
#pragma unroll
    for (int w = 0; w < W; ++w) {
      V const below = values[w * threads + other];
      v[w] = has ? r.template combine<V>(v[w], below) : below;
      values[w * threads + t] = v[w];
    }
    any[t] = has = true;
  }
}

template <int W, class R>
__global__ void __launch_bounds__(threads)
    reduce_columns_entry(__grid_constant__ R const r, rows_plan const plan, columns_plan const c, typename R::first const* in,
                         typename R::value* partial, unsigned* tickets_of_groups, typename R::result* out) {
  using V = typename R::value;
  using U = typename R::narrow;
  using A = typename R::first;
  index_t const group = blockIdx.x % c.groups, rest = blockIdx.x / c.groups, segment = rest % c.segments, p = rest / c.segments;
  int const y = threadIdx.x / c.x, height = threads / c.x;
  index_t const column = (group * c.x + threadIdx.x % c.x) * W;
  bool const inside = column < plan.columns;

  index_t const first = segment * c.segment, rows = min(c.segment, plan.rows - first);
  index_t const each = ceil_div(rows, index_t(height));
  index_t const begin = R::commutative ? index_t(y) : min(y * each, rows), end = R::commutative ? rows : min(begin + each, rows);
  index_t const step = R::commutative ? height : 1;
  constexpr index_t most_narrow = std::is_same_v<U, V> ? index_t(1) << 60 : 64;

  V v[W]{};
  bool has = false;
  A const* const top = in + p * plan.plane_stride + first * plan.row_stride + column;
  auto const at = [&](index_t row) { return prepared(r, loaded<W, A, no_input>(run<A>{top + row * plan.row_stride, nullptr})); };
  for (index_t row = begin; inside && row < end;) {
    index_t const stop = (end - row) / step < most_narrow ? end : row + most_narrow * step;
    U u[W];
    auto const start = at(row);
#pragma unroll
    for (int w = 0; w < W; ++w) u[w] = lift_one<U>(r, start, w, 0);
    auto const add_row = [&](loaded<W, A, no_input> const& x) {
#pragma unroll
      for (int w = 0; w < W; ++w) u[w] = r.template combine<U>(u[w], lift_one<U>(r, x, w, 0));
    };
    for (row += step; row + 3 * step < stop; row += 4 * step) {
      loaded<W, A, no_input> const x[4] = {at(row), at(row + step), at(row + 2 * step), at(row + 3 * step)};
#pragma unroll
      for (int k = 0; k < 4; ++k) add_row(x[k]);
    }
    for (; row < stop; row += step) add_row(at(row));
#pragma unroll
    for (int w = 0; w < W; ++w) v[w] = has ? r.template combine<V>(v[w], static_cast<V>(u[w])) : static_cast<V>(u[w]);
    has = true;
  }
  fold_down<W>(r, c.x, v, has);

  if (c.segments > 1) {
    if (inside && y == 0)
      for (int w = 0; w < W; ++w) partial[(p * c.segments + segment) * plan.columns + column + w] = v[w];
    if (!last_block(tickets_of_groups + p * c.groups + group, unsigned(c.segments))) return;
    index_t const share = ceil_div(c.segments, index_t(height)), low = min(y * share, c.segments), high = min(low + share, c.segments);
    has = inside && low < high;
    for (index_t s = low; inside && s < high; ++s)
#pragma unroll
      for (int w = 0; w < W; ++w) {
        V const next = partial[(p * c.segments + s) * plan.columns + column + w];
        v[w] = s > low ? r.template combine<V>(v[w], next) : next;
      }
    fold_down<W>(r, c.x, v, has);
  }
  if (inside && y == 0)
    for (int w = 0; w < W; ++w) out[p * plan.out_stride + column + w] = has ? r.finish(v[w]) : r.nothing();
}

constexpr int power_above(index_t n, int most) {
  int p = 1;
  while (p < most && p < n) p *= 2;
  return p;
}

template <class File, int W, class R>
void launch_columns(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                    source_location where) {
  constexpr auto entry = reduce_columns_entry<W, R>;
  constexpr index_t most_blocks = 0x7fffffff, rows_of_thread = 16;
  index_t const units = ceil_div(plan.columns, index_t(W)), resident = resident_blocks<File, entry>(s, where);
  columns_plan c;
  c.x = power_above(units, max(32, threads / power_above(plan.rows, 8)));
  c.groups = ceil_div(units, index_t(c.x));
  index_t const blocks = plan.planes * c.groups, most_segments = max(index_t(1), ceil_div(plan.rows, rows_of_thread * (threads / c.x)));
  index_t const wanted = blocks <= tickets::most ? max(index_t(1), resident / blocks) : 1;
  c.segment = max(index_t(1), ceil_div(plan.rows, min(wanted, most_segments)));
  c.segments = max(index_t(1), ceil_div(plan.rows, c.segment));
  dolmen::detail::require<launch_error>(blocks * c.segments <= most_blocks, where, "reduce_columns: ", plan.planes, " matrices of ",
                                        plan.columns, " columns need more than a grid's ", most_blocks, " blocks");
  auto const launch = [&](typename R::value* partial, unsigned* words) {
    launch_native(s, "reduce_columns", unsigned(blocks * c.segments), threads, 0, where, entry, r, plan, c, in, partial, words, out);
  };
  if (c.segments == 1) return launch(nullptr, nullptr);
  buffer<typename R::value, backend> partial(s, plan.planes * c.segments * plan.columns, memory::pooled, where);
  tickets const counted(s, int(blocks), where);
  launch(partial.data(), counted.words());
}

template <class File, class R>
void reduce_columns(stream const& s, R const& r, rows_plan const& plan, typename R::first const* in, typename R::result* out,
                    source_location where) {
  require_values<R>();
  using A = typename R::first;
  using V = typename R::value;
  constexpr std::size_t most_shared = 40 * 1024;
  static_assert(threads * sizeof(V) <= most_shared, "reduce_columns: the type of the reduction has at most 160 bytes");
  constexpr int fits = int(most_shared / (threads * sizeof(V)));
  constexpr int W = min(width<A, no_input>, fits >= 8 ? 8 : fits >= 4 ? 4 : fits >= 2 ? 2 : 1);
  device_guard guard(s.device_index(), where);
  bool const aligned = reinterpret_cast<std::uintptr_t>(in) % (W * sizeof(A)) == 0 && plan.columns % W == 0 &&
                       (plan.row_stride % W == 0 || plan.rows <= 1) && (plan.plane_stride % W == 0 || plan.planes <= 1);
  if (aligned)
    launch_columns<File, W>(s, r, plan, in, out, where);
  else
    launch_columns<File, 1>(s, r, plan, in, out, where);
}

}  // namespace dolmen::cuda::impl::reduction
