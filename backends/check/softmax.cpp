#include "softmax.hpp"

#include <cmath>

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::row_plan;

template <class T>
void launch_softmax(stream const& s, row_plan<T> const& p, bool logarithm, source_location where) {
  impl::algorithm const op(logarithm ? "log_softmax" : "softmax", s, where);
  for (index_t i = 0; i < p.count(); ++i) {
    bool const readable = op.reads(p.in_at(i), p.width);
    if (!op.writes(p.out_at(i), p.width) || !readable) continue;
    T const* const in = impl::opened(p.in_at(i));
    T* const out = impl::opened(p.out_at(i));
    double most = -HUGE_VAL, sum = 0;
    for (index_t k = 0; k < p.width; ++k) most = std::fmax(most, double(in[k]));
    for (index_t k = 0; k < p.width; ++k) sum += std::exp(double(in[k]) - most);
    for (index_t k = 0; k < p.width; ++k)
      out[k] = T(logarithm ? double(in[k]) - most - std::log(sum) : std::exp(double(in[k]) - most) / sum);
  }
}

#define DOLMEN_SOFTMAX(T) template DOLMEN_API void launch_softmax(stream const&, row_plan<T> const&, bool, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_SOFTMAX)

}  // namespace dolmen::check
