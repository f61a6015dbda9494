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
  /// The mean and the sum of squares around it; when finished the factor.
  struct state {
    C mean, squares;
  };
  struct weights {
    vector<T> gamma, beta;
  };
  norm_weights<T> given;

  __device__ T padding() const { return T(0.0f); }

  template <class Held, class Team>
  __device__ state measure(Held const& x, int columns, Team& team) const {
    C mean = 0, squares = 0;
    if (given.centred) {
      C sum = 0;
      x.each([&](C v, bool) { sum += v; });
      mean = team.sum(sum) / C(columns);
    }
    x.each([&](C v, bool element) {
      C const apart = element ? v - mean : C(0);
      squares += apart * apart;
    });
    return {mean, team.sum(squares)};
  }
  /// Pieces' squares are moved to the common mean (Chan, Golub and LeVeque, Updating Formulae, 1979).
  template <class Team>
  __device__ state gather(state const* pieces, index_t count, index_t length, index_t columns, Team& team) const {
    auto const elements = [&](index_t k) { return C(min(length, columns - k * length)); };
    C mean = 0, squares = 0;
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) mean += pieces[k].mean * elements(k);
    mean = team.sum(mean) / C(columns);
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) {
      C const apart = pieces[k].mean - mean;
      squares += pieces[k].squares + elements(k) * apart * apart;
    }
    return {mean, team.sum(squares)};
  }
  __device__ state finish(state s, index_t columns) const { return {s.mean, C(1) / root_of(s.squares / C(columns) + given.eps)}; }

  __device__ weights weights_at(index_t before, int column, bool whole, int columns) const {
    return {vector_of(given.gamma, before, column, whole, columns), vector_of(given.beta, before, column, whole, columns)};
  }
  __device__ C apply(C v, state const& s, weights const& w, int j) const {
    C result = (v - s.mean) * s.squares;
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
