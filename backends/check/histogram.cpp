#include "histogram.hpp"

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::histogram_plan;

template <class T, class Count>
void launch_histogram(stream const& s, histogram_plan<T, Count> const& plan, source_location where) {
  impl::algorithm const op("histogram", s, where);
  bool const usable = op.reads(plan.in);
  if (!op.writes(plan.counts, plan.bins) || !usable) return;
  auto const in = impl::opened(plan.in);
  Count* const counts = impl::opened(plan.counts);
  for (index_t b = 0; b < plan.bins; ++b) counts[b] = 0;
  for (index_t z = 0; z < in.extent[0]; ++z)
    for (index_t y = 0; y < in.extent[1]; ++y)
      for (index_t x = 0; x < in.extent[2]; ++x) {
        std::uint64_t bin = 0;
        if (find_bin(plan.how, in.data[in.offset(z, y) + x], bin)) ++counts[bin];
      }
}

#define DOLMEN_HISTOGRAM(T, Count) \
  template DOLMEN_API void launch_histogram(stream const&, histogram_plan<T, Count> const&, source_location);
#define DOLMEN_HISTOGRAMS(T) DOLMEN_EACH_HISTOGRAM_OF(DOLMEN_HISTOGRAM, T)
DOLMEN_EACH_NUMBER(DOLMEN_HISTOGRAMS)

}  // namespace dolmen::check
