#include "layer_norm.hpp"

#include <cmath>

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::norm_weights;
using dolmen::detail::row_plan;

using number = long double;  // whose range holds the squares of doubles

template <class T>
void launch_norm(stream const& s, row_plan<T> const& p, norm_weights<T> const& weights, source_location where) {
  impl::algorithm const op(weights.centred ? "layer_norm" : "rms_norm", s, where);
  if (weights.gamma && !op.reads(weights.gamma, p.width)) return;
  if (weights.beta && !op.reads(weights.beta, p.width)) return;
  T const* const gamma = weights.gamma ? impl::opened(weights.gamma) : nullptr;
  T const* const beta = weights.beta ? impl::opened(weights.beta) : nullptr;
  for (index_t i = 0; i < p.count(); ++i) {
    bool const readable = op.reads(p.in_at(i), p.width);
    if (!op.writes(p.out_at(i), p.width) || !readable) continue;
    T const* const in = impl::opened(p.in_at(i));
    T* const out = impl::opened(p.out_at(i));
    // The mean as a sum of two numbers, the second of which is that of the deviations from the first.
    auto const n = number(p.width);
    number mean = 0, low = 0, squares = 0;
    if (weights.centred) {
      for (index_t k = 0; k < p.width; ++k) mean += number(double(in[k]));
      mean /= n;
      for (index_t k = 0; k < p.width; ++k) low += number(double(in[k])) - mean;
      low /= n;
    }
    auto const deviation = [&](index_t k) { return (number(double(in[k])) - mean) - low; };
    for (index_t k = 0; k < p.width; ++k) squares += deviation(k) * deviation(k);
    number const scale = 1 / std::sqrt(squares / n + number(weights.eps));
    for (index_t k = 0; k < p.width; ++k)
      out[k] = T(double(deviation(k) * scale * (gamma ? number(double(gamma[k])) : 1) + (beta ? number(double(beta[k])) : 0)));
  }
}

#define DOLMEN_NORM(T) template DOLMEN_API void launch_norm(stream const&, row_plan<T> const&, norm_weights<T> const&, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_NORM)

}  // namespace dolmen::check
