#include "histogram.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "engine.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::histogram_plan;

// Neighbours that are the same would wait for each other's store: elements in turn count in copies of the bins.
constexpr int copies = 4;
constexpr index_t most_copied = 4096;  // bins of which copies stay in a core's cache

/// Counts what place(key) says, in `copies` lists that are `pitch` apart, or one if that is 0.
template <class T, class Place>
void count_run(T const* in, index_t n, std::uint32_t* counts, index_t pitch, Place place) {
  index_t i = 0;
  for (; i + copies <= n; i += copies)
    for (int k = 0; k < copies; ++k) ++counts[k * pitch + place(in[i + k])];
  for (; i < n; ++i) ++counts[place(in[i])];
}

/// Keys that are counted nowhere go to a place behind the bins.
template <class T, class Count>
void count_keys(histogram_plan<T, Count> const& p, T const* in, index_t n, std::uint32_t* counts, index_t pitch) {
  auto const how = p.how;  // a copy, which stores to the counts cannot change
  index_t const nowhere = p.bins;
  if constexpr (std::is_integral_v<T>) {
    if (how.shift >= 0) {
      count_run(in, n, counts, pitch, [=](T key) {
        std::uint64_t const d = static_cast<std::uint64_t>(key) - how.low;
        return d <= how.last ? index_t(d >> how.shift) : nowhere;
      });
      return;
    }
  }
  count_run(in, n, counts, pitch, [=](T key) {
    std::uint64_t bin = 0;
    return find_bin(how, key, bin) ? index_t(bin) : nowhere;
  });
}

}  // namespace

/// Every worker counts its part in lists of its own, in 32 bits as long as those suffice, and adds them to the counts.
/// Bytes are counted by value, and find their bins then.
template <class T, class Count>
void launch_histogram(stream const&, histogram_plan<T, Count> const& plan, source_location) {
  constexpr bool bytes = sizeof(T) == 1;
  constexpr index_t most_counted = index_t(1) << 31;
  auto const& in = plan.in;
  index_t const n = in.size(), columns = in.extent[2], places = bytes ? 256 : plan.bins;
  for (index_t b = 0; b < plan.bins; ++b) plan.counts[b] = 0;
  index_t const pitch = places <= most_copied ? places + 16 : 0, room = pitch > 0 ? copies * pitch : places + 1;
  std::mutex delivery;  // one at a time: atomic additions to the same lines would wait for each other
  run_ranges(n, max(index_t(16384), places), [&](index_t begin, index_t end, scratch& memory) {
    auto* const mine = static_cast<std::uint32_t*>(memory.take(std::size_t(room) * sizeof(std::uint32_t)));
    std::fill_n(mine, room, 0u);
    index_t counted = 0;
    auto const deliver = [&] {
      for (index_t k = 1; pitch > 0 && k < copies; ++k)
        for (index_t place = 0; place < places; ++place) mine[place] += std::exchange(mine[k * pitch + place], 0u);
      std::lock_guard const turn(delivery);
      for (index_t place = 0; place < places; ++place) {
        auto const c = Count(std::exchange(mine[place], 0u));
        auto bin = std::uint64_t(place);
        if constexpr (bytes)
          if (!find_bin(plan.how, static_cast<T>(place), bin)) continue;
        plan.counts[bin] += c;
      }
      counted = 0;
    };
    for (index_t i = begin; i < end;) {
      index_t const row = i / columns, column = i % columns, count = min(min(columns - column, end - i), most_counted - counted);
      T const* const from = in.data + in.offset(row / in.extent[1], row % in.extent[1]) + column;
      if constexpr (bytes)
        count_run(from, count, mine, pitch, [](T key) { return index_t(static_cast<std::uint8_t>(key)); });
      else
        count_keys(plan, from, count, mine, pitch);
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
