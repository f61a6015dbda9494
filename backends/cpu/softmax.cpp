#include "softmax.hpp"

#include <cmath>
#include <limits>

#include "exponential.hpp"
#include "row_loops.hpp"

namespace dolmen::cpu {
namespace {

template <class T>
struct softmax_work {
  using C = compute_t<T>;
  /// The largest element, and the sum of exp(x - largest); in a finished row what the exponentials are multiplied with, or
  /// the sum's logarithm.
  struct state {
    C most;
    double sum;
    C last;
  };
  bool logarithm;

  static C most_of(C const* x, index_t n) {
    C most = -std::numeric_limits<C>::infinity();
#pragma omp simd reduction(max : most)
    for (index_t i = 0; i < n; ++i) most = x[i] > most ? x[i] : most;
    return most;
  }
  /// The exponentials go to `to`. NaN stays, and inf - inf becomes NaN; of a piece of -inf alone the sum is 0.
  static state measure(C const* x, index_t n, C* to) {
    constexpr C nothing = -std::numeric_limits<C>::infinity();
    C const most = most_of(x, n), base = most == nothing ? C(0) : most;
#pragma omp simd
    for (index_t i = 0; i < n; ++i) to[i] = exp_not_positive(C(x[i] - base));
    return {most, sum_of<C>(n, [=](index_t i) { return to[i]; }), 0};
  }
  /// Where all pieces are -inf, -inf - -inf makes the sum NaN.
  static state merge(state const* piece, index_t n) {
    state all{-std::numeric_limits<C>::infinity(), 0, 0};
    for (index_t k = 0; k < n; ++k) all.most = piece[k].most > all.most ? piece[k].most : all.most;
    for (index_t k = 0; k < n; ++k) all.sum += piece[k].sum * std::exp(double(piece[k].most) - double(all.most));
    return all;
  }
  state finish(state s, index_t) const {
    s.last = C(logarithm ? std::log(s.sum) : 1 / s.sum);
    return s;
  }
  void write(C const* x, index_t, index_t n, state const& s, T* out, bool past) const {
    C const most = s.most, last = s.last;
    if (logarithm)
      write_row(out, n, past, [=](index_t i) { return (x[i] - most) - last; });
    else
      write_row(out, n, past, [=](index_t i) { return exp_not_positive(C(x[i] - most)) * last; });
  }
  void row(C const* x, index_t n, C* room, T* out, bool past) const {
    state const s = finish(measure(x, n, room), n);
    C const last = s.last;
    if (logarithm)
      write(x, 0, n, s, out, past);
    else
      write_row(out, n, past, [=](index_t i) { return room[i] * last; });
  }
};

}  // namespace

template <class T>
void launch_softmax(stream const&, row_plan<T> const& plan, bool logarithm, source_location) {
  each_row(plan, softmax_work<T>{logarithm});
}

#define DOLMEN_SOFTMAX(T) template DOLMEN_API void launch_softmax(stream const&, row_plan<T> const&, bool, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_SOFTMAX)

}  // namespace dolmen::cpu
