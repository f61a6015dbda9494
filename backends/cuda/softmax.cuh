// softmax and log_softmax of rows that softmax_vectors.cu declines: of double, and of any address and width.
#pragma once

#include "softmax.hpp"

#include "row_vectors.hpp"
#include "rows.cuh"

namespace dolmen::cuda {
namespace {

__device__ float exponential(float x, float) { return expf(x); }
__device__ double exponential(double x, double) { return exp(x); }
/// Where the result is rounded to 16 bits.
template <half_type T>
__device__ float exponential(float x, T) {
  return __expf(x);
}
__device__ float logarithm_of(float x) { return logf(x); }
__device__ double logarithm_of(double x) { return log(x); }

template <class T>
struct softmax_work {
  using C = compute_t<T>;
  /// The largest element and the sum of exp(x - largest); when finished the sum's logarithm, or what exponentials are
  /// multiplied with.
  struct state {
    C most, sum;
  };
  struct no_weights {};
  static constexpr bool may_repeat = false;
  bool logarithm;

  static __device__ C nothing() { return C(-HUGE_VAL); }
  __device__ T padding() const { return T(nothing()); }

  /// NaN stays, and inf - inf becomes NaN; of -inf alone the sum is 0.
  template <class Held, class Team>
  __device__ state measure(Held const& x, int, Team& team) const {
    C most = nothing();
    x.each([&](C v, bool) { most = larger()(most, v); });
    most = team.most(most);
    C const base = most == nothing() ? C(0) : most;
    C sum = 0;
    x.each([&](C v, bool) { sum += exponential(v - base, T()); });
    return {most, team.sum(sum)};
  }
  /// Where all pieces are -inf, -inf - -inf makes the sum NaN.
  template <class Team>
  __device__ state gather(state const* pieces, index_t count, index_t, index_t, Team& team) const {
    C most = nothing(), sum = 0;
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) most = larger()(most, pieces[k].most);
    most = team.most(most);
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) sum += pieces[k].sum * exponential(pieces[k].most - most, C());
    return {most, team.sum(sum)};
  }
  __device__ state finish(state s, index_t) const { return {s.most, logarithm ? logarithm_of(s.sum) : C(1) / s.sum}; }

  __device__ no_weights weights_at(index_t, int, bool, int) const { return {}; }
  __device__ C apply(C v, state const& s, no_weights, int) const {
    return logarithm ? (v - s.most) - s.sum : exponential(v - s.most, T()) * s.sum;
  }
};

}  // namespace

template <class T>
void launch_softmax(stream const& s, row_plan<T> const& plan, bool logarithm, source_location where) {
  if constexpr (!std::is_same_v<T, double>)
    if (launch_softmax_vectors(s, plan, logarithm, where)) return;
  launch_rows(s, logarithm ? "log_softmax" : "softmax", plan, softmax_work<T>{logarithm}, where);
}

// The body of one type.
#define DOLMEN_SOFTMAX(T) template DOLMEN_API void launch_softmax(stream const&, row_plan<T> const&, bool, source_location);

}  // namespace dolmen::cuda
