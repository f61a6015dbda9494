#include "layer_norm.hpp"

#include <cmath>

#include "row_loops.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::norm_weights;

template <class T>
struct norm_work {
  using C = compute_t<T>;
  /// The mean and the sum of squares around it; in a finished row the factor too.
  struct state {
    double mean, squares;
    double count;
    C scale;
  };
  C const *gamma, *beta;  // either may be null
  C eps;
  bool centred;

  state measure(C const* x, index_t n, C*) const {
    double const mean = centred ? sum_of<C>(n, [=](index_t i) { return x[i]; }) / double(n) : 0;
    C const centre = C(mean);
    return {double(centre), sum_of<C>(n, [=](index_t i) { return (x[i] - centre) * (x[i] - centre); }), double(n), 0};
  }
  /// Pieces' squares are moved to the common mean (Chan, Golub and LeVeque, Updating Formulae, 1979).
  static state merge(state const* piece, index_t n) {
    state all{0, 0, 0, 0};
    for (index_t k = 0; k < n; ++k) all.mean += piece[k].mean * piece[k].count, all.count += piece[k].count;
    all.mean /= all.count;
    for (index_t k = 0; k < n; ++k) {
      double const apart = piece[k].mean - all.mean;
      all.squares += piece[k].squares + piece[k].count * apart * apart;
    }
    return all;
  }
  state finish(state s, index_t width) const {
    s.scale = C(1 / std::sqrt(s.squares / double(width) + double(eps)));
    return s;
  }
  void write(C const* x, index_t first, index_t n, state const& s, T* out, bool past) const {
    C const mean = C(s.mean), scale = s.scale;
    C const *const factor = gamma ? gamma + first : nullptr, *const addend = beta ? beta + first : nullptr;
    auto const normal = [=](index_t i) { return (x[i] - mean) * scale; };
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
