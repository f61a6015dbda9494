// layer_norm and rms_norm of rows that norm_vectors.cu declines: of double, and of any address and width.
#pragma once

#include "layer_norm.hpp"

#include "row_vectors.hpp"
#include "rows.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::norm_weights;

__device__ float root_of(float x) { return sqrtf(x); }
__device__ double root_of(double x) { return sqrt(x); }

template <class T>
struct norm_work {
  using C = compute_t<T>;
  static constexpr int per_vector = vector<T>::size;
  /// Of the elements times `scale`: the mean as a sum of two numbers, and the sum of squares around it; when finished what elements
  /// are multiplied with.
  struct state {
    C mean, low, squares, scale;
  };
  struct weights {
    vector<T> gamma, beta;
  };
  norm_weights<T> given;

  __device__ T padding() const { return T(0.0f); }

  static constexpr bool may_repeat = dolmen::detail::norm_needs_scale<T>;

  template <class Held, class Team>
  __device__ state measure(Held const& x, int columns, Team& team) const {
    return measure_scaled(x, columns, team, C(1));
  }
  __device__ bool repeats(state const& s, int columns) const { return columns > 0 && !dolmen::detail::norm_fits(s.squares, given.eps); }
  template <class Elements, class Team>
  __device__ state measure_again(Elements const& x, int columns, Team& team) const {
    C largest = 0;
    x.each([&](C v, bool) { largest = larger()(largest, v < 0 ? -v : v); });
    return measure_scaled(x, columns, team, dolmen::detail::norm_scale(team.most(largest), given.eps));
  }
  /// Deviations from a mean that is not exact have a mean themselves.
  template <class Held, class Team>
  __device__ state measure_scaled(Held const& x, int columns, Team& team, C scale) const {
    C mean = 0, sum = 0, squares = 0;
    if (given.centred) {
      x.each([&](C v, bool) { sum += v * scale; });
      mean = team.sum(sum) / C(columns);
      sum = 0;
    }
    x.each([&](C v, bool element) {
      C const apart = element ? v * scale - mean : C(0);
      sum += apart;
      squares += apart * apart;
    });
    if (!given.centred) return {0, 0, team.sum(squares), scale};
    team.sum_both(sum, squares);
    C const low = sum / C(columns), around = squares - sum * low;
    return {mean, low, around < 0 ? C(0) : around, scale};
  }
  /// Pieces' squares are moved to the common mean (Chan, Golub and LeVeque, Updating Formulae, 1979).
  template <class Team>
  __device__ state gather(state const* pieces, index_t count, index_t length, index_t columns, Team& team) const {
    auto const elements = [&](index_t k) { return C(min(length, columns - k * length)); };
    C scale = pieces[0].scale;
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) scale = -larger()(-scale, -pieces[k].scale);
    scale = -team.most(-scale);
    C const mean = pieces[0].mean * dolmen::detail::norm_ratio(scale, pieces[0].scale);
    auto const apart = [&](index_t k, C ratio) { return (pieces[k].mean * ratio - mean) + pieces[k].low * ratio; };
    C low = 0, squares = 0;
    for (index_t k = threadIdx.x; k < count; k += blockDim.x)
      low += apart(k, dolmen::detail::norm_ratio(scale, pieces[k].scale)) * elements(k);
    low = team.sum(low) / C(columns);
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) {
      C const ratio = dolmen::detail::norm_ratio(scale, pieces[k].scale), from_mean = apart(k, ratio) - low;
      squares += pieces[k].squares * ratio * ratio + elements(k) * from_mean * from_mean;
    }
    return {mean, low, team.sum(squares), scale};
  }
  __device__ state finish(state s, index_t columns) const {
    s.squares = C(1) / root_of(dolmen::detail::norm_divisor(s.squares / C(columns), given.eps, s.scale));
    return s;
  }

  __device__ weights weights_at(index_t before, int column, bool whole, int columns) const {
    return {vector_of(given.gamma, before, column, whole, columns), vector_of(given.beta, before, column, whole, columns)};
  }
  __device__ C apply(C v, state const& s, weights const& w, int j) const {
    C result = ((v * s.scale - s.mean) - s.low) * s.squares;
    if (given.gamma) result *= C(w.gamma.values[j]);
    if (given.beta) result += C(w.beta.values[j]);
    return result;
  }

 private:
  static __device__ vector<T> vector_of(T const* from, index_t before, int column, bool whole, int columns) {
    vector<T> v = {};
    if (!from) return v;
    from += before + column;
    if (whole && reinterpret_cast<std::uintptr_t>(from) % 16 == 0) return *reinterpret_cast<vector<T> const*>(from);
#pragma unroll
    for (int j = 0; j < per_vector; ++j)
      if (unsigned(column + j) < unsigned(columns)) v.values[j] = from[j];
    return v;
  }
};

}  // namespace

template <class T>
void launch_norm(stream const& s, row_plan<T> const& plan, norm_weights<T> const& weights, source_location where) {
  if constexpr (!std::is_same_v<T, double>)
    if (launch_norm_vectors(s, plan, weights, where)) return;
  launch_rows(s, weights.centred ? "layer_norm" : "rms_norm", plan, norm_work<T>{weights}, where);
}

// The body of one type.
#define DOLMEN_NORM(T) template DOLMEN_API void launch_norm(stream const&, row_plan<T> const&, norm_weights<T> const&, source_location);

}  // namespace dolmen::cuda
