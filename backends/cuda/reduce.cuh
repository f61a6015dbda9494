// Reductions of all elements on a GPU: one launch, whose last block finishes.
#pragma once

#include "reduce_parts.cuh"

namespace dolmen::cuda::impl::reduction {

/// A dense row as tiles of `batch` loads for each lane of a warp; before and behind them single elements.
struct dense_plan {
  index_t n, head, loads, tiles;
};

template <int W, class A, class B>
dense_plan plan_dense(run<A, B> in, index_t n) {
  index_t const head = head_of<W>(in, n), loads = (n - head) / W;
  return {n, head, loads, loads / (32 * batch)};
}

/// The operator is commutative: warps take tiles in turn. Four values per thread, so that sums wait less for each other; the
/// last block takes what fills no tile.
template <int W, class R, class A, class B>
__global__ void __launch_bounds__(threads) reduce_dense(__grid_constant__ R const r, run<A, B> const in, dense_plan const plan,
                                                        typename R::value* partial, unsigned* ticket, typename R::result* out) {
  using V = typename R::value;
  index_t const stride = index_t(gridDim.x) * warps;
  index_t tile = index_t(blockIdx.x) * warps + threadIdx.x / 32;
  maybe<V> v{V(), false};
  auto const place = [&](index_t t, int k) { return plan.head + ((t * batch + k) * 32 + threadIdx.x % 32) * W; };
  if (tile < plan.tiles) {
    auto const at = [&](index_t t, int k) { return loaded<W, A, B>(in.from(place(t, k))); };
    loaded<W, A, B> const first[batch] = {at(tile, 0), at(tile, 1), at(tile, 2), at(tile, 3)};
    maybe<V> share[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) share[k] = {fold_few(r, first[k], place(tile, k)), true};
    for (tile += stride; tile < plan.tiles; tile += stride) {
      loaded<W, A, B> const x[batch] = {at(tile, 0), at(tile, 1), at(tile, 2), at(tile, 3)};
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        share[k].has = true;
        take(r, share[k], x[k], place(tile, k));
      }
    }
    v = {
        r.template combine<V>(r.template combine<V>(share[0].value, share[1].value), r.template combine<V>(share[2].value, share[3].value)),
        true};
  }
  if (blockIdx.x == gridDim.x - 1) {
    index_t const load = plan.tiles * 32 * batch + threadIdx.x, first = plan.head + load * W;
    if (load < plan.loads) join(r, v, maybe<V>{fold_few(r, loaded<W, A, B>(in.from(first)), first), true});
    auto const single = [&](index_t i, index_t end) {
      if (i < end) join(r, v, maybe<V>{lift_at<V>(r, in, i, i), true});
    };
    single(index_t(threadIdx.x) - 192 < 0 ? plan.n : index_t(threadIdx.x) - 192, plan.head);
    single(plan.head + plan.loads * W + threadIdx.x, plan.n);
  }
  fold_block(r, v);
  finish_grid(r, v, partial, ticket, out);
}

/// Parts of rows, `segments` of each row; every warp takes `each` parts that follow each other.
struct parts_plan {
  index_t segment, segments, parts, each;
};

template <int W, class R, class A, class B>
__global__ void __launch_bounds__(threads)
    reduce_parts(__grid_constant__ R const r, __grid_constant__ strided_runs<A, B> const in, parts_plan const plan,
                 typename R::value* partial, unsigned* ticket, typename R::result* out) {
  using V = typename R::value;
  index_t const begin = (index_t(blockIdx.x) * warps + threadIdx.x / 32) * plan.each, end = min(begin + plan.each, plan.parts);
  index_t const columns = in.extent[2];
  maybe<V> v{V(), false};
  for (index_t p = begin; p < end; ++p) {
    index_t const row = p / plan.segments, column = (p - row * plan.segments) * plan.segment;
    auto const here = in.row(row).from(column);
    index_t const count = min(plan.segment, columns - column), first = row * columns + column;
    if constexpr (always_together<A, B>) {
      take_run<W>(r, v, here, count, first);
    } else {
      if (together<W>(here))
        take_run<W>(r, v, here, count, first);
      else
        take_run<1>(r, v, here, count, first);
    }
  }
  fold_block(r, v);
  finish_grid(r, v, partial, ticket, out);
}

inline parts_plan plan_parts(index_t rows, index_t columns, index_t warps_at_once) {
  constexpr index_t smallest = 2048, unit = 512;
  index_t const wanted = ceil_div(2 * warps_at_once, max(rows, index_t(1)));
  index_t const segment = max(smallest, ceil_div(ceil_div(columns, wanted), unit) * unit);
  index_t const segments = max(index_t(1), ceil_div(columns, segment)), parts = rows * segments;
  return {segment, segments, parts, max(index_t(1), ceil_div(parts, warps_at_once))};
}

template <class File, class R, class Launch>
void with_scratch(stream const& s, unsigned blocks, source_location where, Launch launch) {
  if (blocks == 1) return launch(nullptr, nullptr);
  buffer<typename R::value, backend> partial(s, blocks, memory::pooled, where);
  tickets const counted(s, 1, where);
  launch(partial.data(), counted.words());
}

template <class File, int W, class R, class A, class B>
void launch_dense(stream const& s, R const& r, run<A, B> in, index_t n, typename R::result* out, source_location where) {
  constexpr auto entry = reduce_dense<W, R, A, B>;
  auto const plan = plan_dense<W>(in, n);
  unsigned const blocks =
      plan.tiles <= warps ? 1 : unsigned(min(index_t(resident_blocks<File, entry>(s, where)), ceil_div(plan.tiles, index_t(warps))));
  with_scratch<File, R>(s, blocks, where, [&](typename R::value* partial, unsigned* ticket) {
    launch_native(s, "reduce", blocks, threads, 0, where, entry, r, in, plan, partial, ticket, out);
  });
}

template <class File, int W, class R, class A, class B>
void launch_parts(stream const& s, R const& r, strided_runs<A, B> const& in, typename R::result* out, source_location where) {
  constexpr auto entry = reduce_parts<W, R, A, B>;
  auto const plan = plan_parts(in.extent[0] * in.extent[1], in.extent[2], index_t(resident_blocks<File, entry>(s, where)) * warps);
  unsigned const blocks = unsigned(max(index_t(1), ceil_div(ceil_div(plan.parts, plan.each), index_t(warps))));
  with_scratch<File, R>(s, blocks, where, [&](typename R::value* partial, unsigned* ticket) {
    launch_native(s, "reduce", blocks, threads, 0, where, entry, r, in, plan, partial, ticket, out);
  });
}

template <class File, class R, class A, class B>
void reduce_whole(stream const& s, R const& r, strided_runs<A, B> const& in, typename R::result* out, source_location where) {
  require_values<R>();
  device_guard guard(s.device_index(), where);
  constexpr int W = width<A, B>;
  if constexpr (R::commutative) {
    if (in.contiguous() && (always_together<A, B> || together<W>(in.data)))
      return launch_dense<File, W>(s, r, in.data, in.size(), out, where);
  }
  launch_parts<File, W>(s, r, in, out, where);
}

}  // namespace dolmen::cuda::impl::reduction
