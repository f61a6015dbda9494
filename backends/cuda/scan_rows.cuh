// What scans do with rows of 32 vectors, one per lane, and where their elements are.
#pragma once

#include "../../algorithms/scan.hpp"
#include "lanes.cuh"
#include "narrow_sums.cuh"
#include "ordered_bits.cuh"

namespace dolmen::cuda::impl {

/// Where the elements of a line are: one after the other from its begin on, or (Rows) in the rows of a strided view.
template <bool Rows, class In, class Out, class Value>
struct scan_line {
  dolmen::detail::scan_plan<In, Out, Value> const& plan;
  In const* in;
  Out* out;

  __device__ __forceinline__ scan_line(dolmen::detail::scan_plan<In, Out, Value> const& p, index_t line) : plan(p), in(p.in), out(p.out) {
    if (!Rows && line > 0) {
      index_t const z = line / p.extent[1], y = line % p.extent[1];
      in += z * p.in_stride[0] + y * p.in_stride[1];
      out += z * p.out_stride[0] + y * p.out_stride[1];
    }
  }
  template <class Op, int N>
  __device__ __forceinline__ void load(Op const& op, index_t i, vector_of<In, N>& v, int there) const {
    if constexpr (!Rows) {
      load_vector(in + i, v, there);
    } else {
#pragma unroll
      for (int e = 0; e < N; ++e)
        if (e < there) v.value[e] = in[in_rows(i + e, plan.extent, plan.in_stride)];
    }
    v = flipped_by(op, v);
  }
  template <int N>
  __device__ __forceinline__ void store(index_t i, vector_of<Out, N> const& v, int there) const {
    if constexpr (!Rows) {
      store_vector(out + i, v, there);
    } else {
#pragma unroll
      for (int e = 0; e < N; ++e)
        if (e < there) out[in_rows(i + e, plan.extent, plan.out_stride)] = v.value[e];
    }
  }
};

/// What a vector's elements come to: all of them (Full), or `there`, at least one.
template <bool Full, class Value, class Out, class In, int N, class Op>
__device__ __forceinline__ Value vector_total(vector_of<In, N> const& v, int there, Op op) {
  if constexpr (Full && by_narrow_sums<In, Out, Value, Op, N>) {
    return narrow_total(v);
  } else {
    Value t = static_cast<Value>(v.value[0]);
#pragma unroll
    for (int e = 1; e < N; ++e)
      if (Full || e < there) t = combine(op, t, static_cast<Value>(v.value[e]));
    return t;
  }
}

/// The results of a vector's elements, from what comes before them if anything does (`has`).
template <bool Full, bool Exclusive, class Out, class Value, class In, int N, class Op>
__device__ __forceinline__ vector_of<Out, N> vector_results(vector_of<In, N> const& v, int there, Op op, bool has, Value running) {
  if constexpr (Full && by_narrow_sums<In, Out, Value, Op, N>) {
    return narrow_scan<Exclusive>(v, has ? running : 0);
  } else {
    vector_of<Out, N> result;
#pragma unroll
    for (int e = 0; e < N; ++e) {
      if (!Full && e >= there) break;
      Value const value = static_cast<Value>(v.value[e]);
      if (Exclusive) result.value[e] = static_cast<Out>(running);
      if (e == 0)
        running = has ? Value(combine(op, running, value)) : value;
      else
        running = combine(op, running, value);
      if (!Exclusive) result.value[e] = static_cast<Out>(running);
    }
    return result;
  }
}

/// What comes before each lane's vectors in the warp, and what all of them come to. Full: all elements of the tile exist; otherwise
/// `count` of them do.
template <bool Full, class Shape, class Out, class Value, class In, class Op>
__device__ __forceinline__ void scan_rows(vector_of<In, Shape::elements> const (&v)[Shape::rows], int first, int count, Op op,
                                          Value (&before)[Shape::rows], Value& total) {
  constexpr int N = Shape::elements;
  int const me = lane();
#pragma unroll
  for (int r = 0; r < Shape::rows; ++r) {
    int const start = first + r * Shape::row, there = Full ? N : count - start - me * N;
    Value t{};
    if (Full || there > 0) t = vector_total<Full, Value, Out>(v[r], there, op);
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      Value const other = from_up(t, d, warp_size);
      if (unrelated(me) >= d && (Full || unrelated(there) > 0)) t = combine(op, other, t);
    }
    int const last = Full ? 31 : max(0, min(31, (count - start - 1) / N));
    Value const row = from_lane(t, last, warp_size);
    Value const left = from_up(t, 1, warp_size);
    before[r] = left;
    if (r == 0) {
      total = row;
    } else if (Full || count > start) {
      before[r] = unrelated(me) > 0 && (Full || unrelated(there) > 0) ? Value(combine(op, total, left)) : total;
      total = combine(op, total, row);
    }
  }
}

/// Results, from what comes before each vector.
template <bool Full, bool Exclusive, class Shape, class Value, class In, class Out, class Op, class Line>
__device__ __forceinline__ void write_rows(vector_of<In, Shape::elements> const (&v)[Shape::rows], int first, int count, Op op,
                                           Value const (&before)[Shape::rows], bool has_start, Value const& start, Line const& line,
                                           index_t begin) {
  constexpr int N = Shape::elements;
  int const me = lane();
#pragma unroll
  for (int r = 0; r < Shape::rows; ++r) {
    int const at = first + r * Shape::row + me * N, there = Full ? N : count - at;
    if (!Full && there <= 0) continue;
    bool const inner = r > 0 || unrelated(me) > 0;
    Value const running = inner ? (has_start ? Value(combine(op, start, before[r])) : before[r]) : start;
    auto const results = vector_results<Full, Exclusive, Out>(v[r], there, op, inner || has_start, running);
    line.store(begin + at, flipped_by(op, results), there);
  }
}
template <bool Full, class Shape, class Value, class In, class Out, class Op, class Line>
__device__ __forceinline__ void finish_rows(vector_of<In, Shape::elements> const (&v)[Shape::rows], int first, int count, Op op,
                                            Value const (&before)[Shape::rows], bool has_start, Value const& start, bool exclusive,
                                            Line const& line, index_t begin) {
  if (exclusive)
    write_rows<Full, true, Shape, Value, In, Out>(v, first, count, op, before, has_start, start, line, begin);
  else
    write_rows<Full, false, Shape, Value, In, Out>(v, first, count, op, before, has_start, start, line, begin);
}

}  // namespace dolmen::cuda::impl
