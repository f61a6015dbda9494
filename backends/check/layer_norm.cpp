#include "layer_norm.hpp"

#include <cmath>

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::norm_weights;
using dolmen::detail::row_plan;

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
    double sum = 0, squares = 0;
    for (index_t k = 0; k < p.width; ++k) sum += double(in[k]);
    double const mean = weights.centred ? sum / double(p.width) : 0;
    for (index_t k = 0; k < p.width; ++k) squares += (double(in[k]) - mean) * (double(in[k]) - mean);
    double const scale = 1 / std::sqrt(squares / double(p.width) + double(weights.eps));
    for (index_t k = 0; k < p.width; ++k)
      out[k] = T((double(in[k]) - mean) * scale * (gamma ? double(gamma[k]) : 1) + (beta ? double(beta[k]) : 0));
  }
}

#define DOLMEN_NORM(T) template DOLMEN_API void launch_norm(stream const&, row_plan<T> const&, norm_weights<T> const&, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_NORM)

}  // namespace dolmen::check
