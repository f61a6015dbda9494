#include "histogram.hpp"

#include <algorithm>

#include "engine.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::histogram_plan;

// Neighbours that are the same would wait for each other's store: elements in turn count in copies of the bins.
constexpr int copies = 4;
constexpr index_t most_copied = 4096;  // bins of which copies stay in a core's cache

template <class T, class Count>
void count_run(histogram_plan<T, Count> const& p, T const* in, index_t n, std::uint32_t* counts, index_t pitch) {
  auto const add = [&](T key, std::uint32_t* to) {
    std::uint64_t bin = 0;
    if (find_bin(p.how, key, bin)) ++to[bin];
  };
  index_t i = 0;
  for (; i + copies <= n; i += copies)
    for (int k = 0; k < copies; ++k) add(in[i + k], counts + k * pitch);
  for (; i < n; ++i) add(in[i], counts);
}

}  // namespace

/// Every worker counts its part in bins of its own, in 32 bits as long as those suffice; workers add theirs up one at a time.
template <class T, class Count>
void launch_histogram(stream const&, histogram_plan<T, Count> const& plan, source_location) {
  constexpr index_t most_counted = index_t(1) << 31;
  auto const& in = plan.in;
  index_t const n = in.size(), columns = in.extent[2], bins = plan.bins;
  for (index_t b = 0; b < bins; ++b) plan.counts[b] = 0;
  index_t const pitch = bins <= most_copied ? bins + 16 : 0, room = pitch > 0 ? copies * pitch : bins;
  index_t const grain = max(index_t(16384), bins);
  run_ranges(n, grain, [&](index_t begin, index_t end, scratch& memory) {
    auto* const mine = static_cast<std::uint32_t*>(memory.take(std::size_t(room) * sizeof(std::uint32_t)));
    std::fill_n(mine, room, 0u);
    index_t counted = 0;
    auto const deliver = [&] {
      for (index_t k = 0; k < (pitch > 0 ? copies : 1); ++k)
        for (index_t b = 0; b < bins; ++b)
          if (std::uint32_t& c = mine[k * pitch + b]; c != 0) {
            __atomic_fetch_add(&plan.counts[b], Count(c), __ATOMIC_RELAXED);
            c = 0;
          }
      counted = 0;
    };
    for (index_t i = begin; i < end;) {
      index_t const row = i / columns, column = i % columns, count = min(min(columns - column, end - i), most_counted - counted);
      count_run(plan, in.data + in.offset(row / in.extent[1], row % in.extent[1]) + column, count, mine, pitch);
      i += count;
      counted += count;
      if (counted == most_counted) deliver();
    }
    deliver();
    memory.give_back(mine, std::size_t(room) * sizeof(std::uint32_t));
  });
}

#define DOLMEN_HISTOGRAM(T, Count) \
  template DOLMEN_API void launch_histogram(stream const&, histogram_plan<T, Count> const&, source_location);
#define DOLMEN_HISTOGRAMS(T) DOLMEN_EACH_HISTOGRAM_OF(DOLMEN_HISTOGRAM, T)
DOLMEN_EACH_NUMBER(DOLMEN_HISTOGRAMS)

}  // namespace dolmen::cpu
