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
  norm_weights<T> weights;

  state measure(C const* x, index_t n, C*) const {
    double const mean = weights.centred ? sum_of<C>(n, [=](index_t i) { return x[i]; }) / double(n) : 0;
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
    s.scale = C(1 / std::sqrt(s.squares / double(width) + double(weights.eps)));
    return s;
  }
  void write(C const* x, index_t first, index_t n, state const& s, T* out, bool past_cache) const {
    C const mean = C(s.mean), scale = s.scale;
    T const *const gamma = weights.gamma ? weights.gamma + first : nullptr, *const beta = weights.beta ? weights.beta + first : nullptr;
    auto const normal = [=](index_t i) { return (x[i] - mean) * scale; };
    if (gamma && beta)
      write_row(out, n, past_cache, [=](index_t i) { return normal(i) * C(gamma[i]) + C(beta[i]); });
    else if (gamma)
      write_row(out, n, past_cache, [=](index_t i) { return normal(i) * C(gamma[i]); });
    else if (beta)
      write_row(out, n, past_cache, [=](index_t i) { return normal(i) + C(beta[i]); });
    else
      write_row(out, n, past_cache, normal);
  }
  void row(C const* x, index_t n, C* room, T* out, bool past_cache) const {
    write(x, 0, n, finish(measure(x, n, room), n), out, past_cache);
  }
};

}  // namespace

template <class T>
void launch_norm(stream const&, row_plan<T> const& plan, norm_weights<T> const& weights, source_location) {
  each_row(plan, norm_work<T>{weights});
}

#define DOLMEN_NORM(T) template DOLMEN_API void launch_norm(stream const&, row_plan<T> const&, norm_weights<T> const&, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_NORM)

}  // namespace dolmen::cpu
