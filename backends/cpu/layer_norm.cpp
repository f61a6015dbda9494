#include "layer_norm.hpp"

#include <cmath>

#include "row_loops.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::norm_weights;

template <class T>
struct norm_work {
  using C = compute_t<T>;
  /// Of the elements times `scale`: the mean as a sum of two numbers, and the sum of squares around it; in a finished row what
  /// they are multiplied with.
  struct state {
    double mean, low, squares, count;
    C scale, factor;
  };
  C const *gamma, *beta;  // either may be null
  C eps;
  bool centred;

  state measure(C const* x, index_t n, C*) const {
    state s = measure_scaled(x, n, C(1));
    if constexpr (dolmen::detail::norm_needs_scale<T>) {
      if (!dolmen::detail::norm_fits(C(s.squares), eps)) {
        C largest = 0;
#pragma omp simd reduction(max : largest)
        for (index_t i = 0; i < n; ++i) largest = std::fabs(x[i]) > largest ? std::fabs(x[i]) : largest;
        s = measure_scaled(x, n, dolmen::detail::norm_scale(largest, eps));
      }
    }
    return s;
  }
  /// Deviations from a mean that is not exact have a mean themselves.
  state measure_scaled(C const* x, index_t n, C scale) const {
    double const mean = centred ? sum_of<C>(n, [=](index_t i) { return x[i] * scale; }) / double(n) : 0;
    C const centre = C(mean);
    auto const [sum, squares] = sums_of<C>(n, [=](index_t i) { return x[i] * scale - centre; });
    if (!centred) return {0, 0, squares, double(n), scale, 0};
    double const low = sum / double(n), around = squares - sum * low;
    return {double(centre), low, around < 0 ? 0 : around, double(n), scale, 0};
  }
  /// Pieces' squares are moved to the common mean (Chan, Golub and LeVeque, Updating Formulae, 1979).
  static state merge(state const* piece, index_t n) {
    state all{0, 0, 0, 0, piece[0].scale, 0};
    for (index_t k = 1; k < n; ++k) all.scale = min(all.scale, piece[k].scale);
    auto const ratio = [&](index_t k) { return double(dolmen::detail::norm_ratio(all.scale, piece[k].scale)); };
    all.mean = piece[0].mean * ratio(0);
    auto const apart = [&](index_t k) { return (piece[k].mean * ratio(k) - all.mean) + piece[k].low * ratio(k); };
    for (index_t k = 0; k < n; ++k) all.low += apart(k) * piece[k].count, all.count += piece[k].count;
    all.low /= all.count;
    for (index_t k = 0; k < n; ++k) {
      double const from_mean = apart(k) - all.low;
      all.squares += piece[k].squares * ratio(k) * ratio(k) + piece[k].count * from_mean * from_mean;
    }
    return all;
  }
  state finish(state s, index_t width) const {
    s.factor = C(1 / std::sqrt(double(dolmen::detail::norm_divisor(C(s.squares / double(width)), eps, s.scale))));
    return s;
  }
  void write(C const* x, index_t first, index_t n, state const& s, T* out, bool past) const {
    C const mean = C(s.mean), low = C(s.low + (s.mean - double(mean))), scale = s.scale, by = s.factor;
    C const *const factor = gamma ? gamma + first : nullptr, *const addend = beta ? beta + first : nullptr;
    auto const normal = [=](index_t i) { return ((x[i] * scale - mean) - low) * by; };
    if (factor && addend)
      write_row(out, n, past, [=](index_t i) { return normal(i) * factor[i] + addend[i]; });
    else if (factor)
      write_row(out, n, past, [=](index_t i) { return normal(i) * factor[i]; });
    else if (addend)
      write_row(out, n, past, [=](index_t i) { return normal(i) + addend[i]; });
    else
      write_row(out, n, past, normal);
  }
  void row(C const* x, index_t n, C* room, T* out, bool past) const { write(x, 0, n, finish(measure(x, n, room), n), out, past); }
};

}  // namespace

template <class T>
void launch_norm(stream const&, row_plan<T> const& plan, norm_weights<T> const& weights, source_location) {
  using C = compute_t<T>;
  // Once for all rows.
  std::vector<C> room(std::is_same_v<T, C> ? 0 : std::size_t(2 * plan.width));
  auto const computed = [&](T const* row, C* to) { return row ? computable(row, plan.width, to) : nullptr; };
  C const* const gamma = computed(weights.gamma, room.data());
  C const* const beta = computed(weights.beta, room.data() + room.size() / 2);
  each_row(plan, norm_work<T>{gamma, beta, weights.eps, weights.centred});
}

#define DOLMEN_NORM(T) template DOLMEN_API void launch_norm(stream const&, row_plan<T> const&, norm_weights<T> const&, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_NORM)

}  // namespace dolmen::cpu
