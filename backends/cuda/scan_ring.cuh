// Scans of long lines by a ring of tiles, see ring.cuh.
#pragma once

#include "ring.cuh"
#include "scan_rows.cuh"

namespace dolmen::cuda::impl {

/// Elements lie one after the other in each line; `widest` of In and Out is 1 to 16 bytes, a power of two.
template <class In, class Out, class Value, class Op>
struct ring_scan {
  static constexpr int widest = int(sizeof(In) > sizeof(Out) ? sizeof(In) : sizeof(Out));
  static constexpr int warps = 16, elements = 16 / widest, rows = 4, row = 32 * elements, tile = warps * rows * row;
  static constexpr int arrays = 1, element_bytes[2] = {int(sizeof(In)), 0};
  using value = Value;
  struct before {
    Value value;
    bool has;
  };

  dolmen::detail::scan_plan<In, Out, Value> plan;
  Op op;
  index_t tiles;  // of a line

  __device__ __forceinline__ before first() const { return {plan.initial, plan.exclusive}; }
  __device__ __forceinline__ Value join(Value const& a, Value const& b) const { return combine(op, a, b); }
  __device__ __forceinline__ before join(before const& a, Value const& b) const {
    return {a.has ? Value(combine(op, a.value, b)) : b, true};
  }
  __device__ __forceinline__ index_t line_of(index_t t) const { return plan.lines() == 1 ? 0 : t / tiles; }
  __device__ __forceinline__ index_t begin_of(index_t t) const { return (t - line_of(t) * tiles) * tile; }
  __device__ __forceinline__ int count(index_t t) const { return int(min(plan.length() - begin_of(t), index_t(tile))); }
  __device__ __forceinline__ ring_piece pieces(index_t t, int) const {
    index_t const begin = begin_of(t), left = plan.length() - begin;
    scan_line<false, In, Out, Value> const line(plan, line_of(t));
    return {reinterpret_cast<unsigned char const*>(line.in + begin), int(min(left, index_t(tile)) * sizeof(In)), left >= tile + 16};
  }
  __device__ __forceinline__ void told(index_t, before const&, raw<Value> const*) const {}

  using vectors = vector_of<In, elements>[rows];
  using sums = Value[rows];
  template <bool Full>
  __device__ __forceinline__ void load(unsigned char const* array, int count, vectors& v) const {
    constexpr int bytes = elements * int(sizeof(In));
    In const* const from = reinterpret_cast<In const*>(array);
    bool const aligned = shared_address(array) % bytes == 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      int const at = int(threadIdx.x) / 32 * rows * row + r * row + lane() * elements;
      if (Full && bytes == 16 && aligned) {
        uint4 const w = load_shared(from + at);
        memcpy(v[r].value, &w, bytes);
      } else if (Full || at < count) {
        load_vector(from + at, v[r], Full ? elements : count - at);
      }
      v[r] = flipped_by(op, v[r]);
    }
  }
  static __device__ __forceinline__ int first_of_warp() { return int(threadIdx.x) / 32 * rows * row; }

  template <bool Full>
  __device__ __forceinline__ Value reduce(unsigned char* const* arrays, int count) const {
    vectors v;
    load<Full>(arrays[0], count, v);
    if constexpr (Full && dolmen::detail::is_commutative<Op>) {
      Value t = vector_total<true, Value, Out>(v[0], elements, op);
#pragma unroll
      for (int r = 1; r < rows; ++r) t = combine(op, t, vector_total<true, Value, Out>(v[r], elements, op));
      return reduce_lanes<warp_size>(t, combining(op), warp_size);
    }
    sums ignored;
    Value total{};
    scan_rows<Full, ring_scan, Out>(v, first_of_warp(), count, op, ignored, total);
    return total;
  }
  template <bool Full>
  __device__ __forceinline__ void finish(unsigned char* const* arrays, int count, index_t t, before const& outside,
                                         raw<Value> const* of_warps) const {
    int const warp = int(threadIdx.x) / 32;
    if (!Full && first_of_warp() >= count) return;
    vectors v;
    load<Full>(arrays[0], count, v);
    sums inside;
    Value total{};
    scan_rows<Full, ring_scan, Out>(v, first_of_warp(), count, op, inside, total);
    before start = outside;
    for (int w = 0; w < warp; ++w) start = join(start, of_warps[w].get());
    scan_line<false, In, Out, Value> const line(plan, line_of(t));
    finish_rows<Full, ring_scan, Value, In, Out>(v, first_of_warp(), count, op, inside, start.has, start.value, plan.exclusive, line,
                                                 begin_of(t));
  }
};

}  // namespace dolmen::cuda::impl
