#include "sort_elements.hpp"

#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>

#include "../../core/buffer.hpp"
#include "engine.hpp"
#include "sort_run.hpp"

namespace dolmen::cpu {
namespace {

constexpr index_t least_per_thread = 1 << 17;  // elements for which a thread is worth while
constexpr index_t cached_bucket = 1 << 15;     // elements of which a core's cache holds all that sorting them needs
constexpr int most_buckets = 64;               // their numbers, and those of the keys between, fit a byte
constexpr int samples_each = 32;               // per bucket

/// Whether some element is below its predecessor (1), and some above (2), among those in [begin, end).
template <class E>
int directions(E const* data, index_t begin, index_t end) {
  constexpr index_t block = 128;
  int seen = 0;
  for (index_t i = max(begin, index_t(1)); i < end && seen != 3; i += block) {
    bool falls = false, rises = false;
    for (index_t k = i; k < min(i + block, end); ++k) {
      falls |= data[k] < data[k - 1];
      rises |= data[k - 1] < data[k];
    }
    seen |= int(falls) | 2 * int(rises);
  }
  return seen;
}

/// True for elements that were in order, or were in the opposite order and have been turned round. Random ones are found out at
/// once.
template <class E>
bool sorted_by_turning(E* data, index_t n) {
  constexpr index_t begin = 16;
  if (directions(data, 0, min(n, begin)) == 3) return false;
  std::atomic<int> all{0};
  run_ranges(n, least_per_thread, [&](index_t first, index_t last, scratch&) { all |= directions(data, first, last); });
  if (all == 3) return false;
  if (all == 1)
    run_ranges(n / 2, least_per_thread, [&](index_t first, index_t last, scratch&) {
      for (index_t i = first; i < last; ++i) std::swap(data[i], data[n - 1 - i]);
    });
  return true;
}

/// Buckets of keys: number k holds those above thresholds k - 1 and not above threshold k.
template <class K>
struct bucket_plan {
  K thresholds[2 * most_buckets];  // ascending, all different
  int above = 0;                   // how many there are: one less than the buckets

  void add(K threshold) {
    if (above == 0 || thresholds[above - 1] < threshold) thresholds[above++] = threshold;
  }
  int buckets() const { return above + 1; }
  /// One key has a bucket of its own.
  bool single(int bucket) const { return bucket > 0 && bucket < above && thresholds[bucket] - 1 == thresholds[bucket - 1]; }
};

/// From a sample, so that buckets have much the same size. A key that is frequent in it gets its own.
template <class E>
bucket_plan<key_type<E>> plan_buckets(E const* data, index_t n, int buckets) {
  using K = key_type<E>;
  K sample[most_buckets * samples_each];
  int const samples = buckets * samples_each;
  std::uint64_t random = 1;
  for (int i = 0; i < samples; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    index_t const stride = n / samples;
    sample[i] = key_of(data[i * stride + index_t((random >> 33) % std::uint64_t(stride))]);
  }
  std::sort(sample, sample + samples);
  bucket_plan<K> plan;
  for (int i = samples_each; i < samples; i += samples_each) {
    K const key = sample[i];
    if (key == sample[i - samples_each / 2] && key != std::numeric_limits<K>::min()) plan.add(K(key - 1));
    plan.add(key);
  }
  return plan;
}

/// to[i] = the bucket of from[i]; sizes[b] = how many bucket b gets. Keys are compared with one threshold after the other, several at a
/// time.
template <class E>
void find_buckets(E const* from, index_t n, bucket_plan<key_type<E>> const& plan, std::uint8_t* to, index_t* sizes) {
  using K = key_type<E>;
  constexpr int lanes = 32 / sizeof(K), vectors = 4, group = lanes * vectors;
  constexpr index_t run = index_t(1) << 16;  // whose counts no lane is too small for
  typedef K vector __attribute__((vector_size(32)));
  index_t above[2 * most_buckets] = {};  // every threshold
  index_t i = 0;
  while (i + group <= n) {
    vector counts[2 * most_buckets] = {};
    for (index_t const end = min(i + run, n); i + group <= end; i += group) {
      K lane[group];
      for (int k = 0; k < group; ++k) lane[k] = key_of(from[i + k]);
      vector keys[vectors], below[vectors] = {};
      std::memcpy(keys, lane, sizeof(keys));
      for (int t = 0; t < plan.above; ++t) {
        vector const threshold = plan.thresholds[t] - vector{};
        vector count = counts[t];
        for (int v = 0; v < vectors; ++v) {
          vector const larger = keys[v] > threshold;  // -1 where it is
          below[v] -= larger;
          count -= larger;
        }
        counts[t] = count;
      }
      std::memcpy(lane, below, sizeof(below));
      for (int k = 0; k < group; ++k) to[i + k] = static_cast<std::uint8_t>(lane[k]);
    }
    for (int t = 0; t < plan.above; ++t)
      for (int l = 0; l < lanes; ++l) above[t] += counts[t][l];
  }
  for (; i < n; ++i) {
    int below = 0;
    for (int t = 0; t < plan.above; ++t) {
      bool const larger = key_of(from[i]) > plan.thresholds[t];
      below += larger;
      above[t] += larger;
    }
    to[i] = static_cast<std::uint8_t>(below);
  }
  for (int b = 0; b < plan.buckets(); ++b) sizes[b] = (b == 0 ? n : above[b - 1]) - (b == plan.above ? 0 : above[b]);
}

/// Moves elements to the buckets of `other`, in order, sorts each bucket there and brings it back.
template <class E>
void sort_buckets(stream const& s, E* data, E* other, index_t n, digit_range digits, int parts, int wanted, source_location where) {
  auto const plan = plan_buckets(data, n, wanted);
  int const buckets = plan.buckets();
  buffer<std::uint8_t, backend> numbers(s, n, memory::pooled, where);
  buffer<index_t, backend> table(s, index_t(parts + 1) * buckets, memory::pooled, where);
  std::uint8_t* const bucket_of = numbers.data();
  index_t* const starts = table.data();  // of every part's elements in every bucket
  auto const edge = [&](index_t p) { return n / parts * p + min(n % parts, p); };
  run_ranges(parts, 1, [&](index_t begin, index_t end, scratch&) {
    for (index_t p = begin; p < end; ++p) {
      find_buckets(data + edge(p), edge(p + 1) - edge(p), plan, bucket_of + edge(p), starts + p * buckets);
    }
  });
  index_t start = 0;
  for (int b = 0; b < buckets; ++b)
    for (int p = 0; p < parts; ++p) start += std::exchange(starts[p * buckets + b], start);
  for (int b = 0; b < buckets; ++b) starts[parts * buckets + b] = b + 1 < buckets ? starts[b + 1] : n;  // their ends
  run_ranges(parts, 1, [&](index_t begin, index_t end, scratch&) {
    for (index_t p = begin; p < end; ++p) {
      index_t next[2 * most_buckets];
      std::copy(starts + p * buckets, starts + (p + 1) * buckets, next);
      for (index_t i = edge(p); i < edge(p + 1); ++i) other[next[bucket_of[i]]++] = data[i];
    }
  });
  std::atomic<int> taken{0};  // buckets differ in size, and threads in speed
  run_ranges(parts, 1, [&](index_t, index_t, scratch&) {
    for (int b = taken++; b < buckets; b = taken++) {
      index_t const first = starts[b], last = starts[parts * buckets + b];
      if (!plan.single(b)) sort_run(other + first, data + first, last - first, digits);
      std::copy(other + first, other + last, data + first);
    }
  });
}

}  // namespace

template <class E>
void sort_elements(stream const& s, E* data, index_t n, digit_range digits, source_location where) {
  if (sorted_by_turning(data, n)) return;
  if constexpr (sizeof(E) >= 4) {
    bool const highway = by_highway<E>(digits);
    int const parts = n >= 2 * least_per_thread ? workers() : 1;
    // Digits are sorted fast where elements stay in a core's cache.
    if (parts > 1 || (!highway && n >= 8 * cached_bucket)) {
      index_t const wanted = highway ? index_t(4) * parts : max(index_t(4) * parts, n / cached_bucket);
      buffer<E, backend> other(s, n, memory::pooled, where);
      return sort_buckets(s, data, other.data(), n, digits, parts, int(min(wanted, index_t(most_buckets))), where);
    }
  }
  buffer<E, backend> other(s, needs_other<E>(n, digits) ? n : 0, memory::pooled, where);
  sort_run(data, other.data(), n, digits);
}

template void sort_elements(stream const&, std::int8_t*, index_t, digit_range, source_location);
template void sort_elements(stream const&, std::int16_t*, index_t, digit_range, source_location);
template void sort_elements(stream const&, std::int32_t*, index_t, digit_range, source_location);
template void sort_elements(stream const&, std::int64_t*, index_t, digit_range, source_location);
template void sort_elements(stream const&, ranked*, index_t, digit_range, source_location);

/// Every worker counts its part in a list of its own, and writes a part of the result.
template <class E>
void sort_by_counting(stream const& s, E* data, index_t n, source_location where) {
  if (sorted_by_turning(data, n)) return;
  constexpr int values = 1 << (8 * sizeof(E)), lowest = std::numeric_limits<E>::min();
  constexpr int copies = sizeof(E) == 1 ? 4 : 1;  // equal neighbours would wait for each other's store
  buffer<index_t, backend> totals(s, values, memory::pooled, where);
  index_t* const ends = totals.data();
  std::fill_n(ends, values, index_t(0));
  std::mutex delivery;
  run_ranges(n, max(least_per_thread, index_t(values)), [&](index_t begin, index_t end, scratch& memory) {
    constexpr std::size_t bytes = copies * values * sizeof(std::uint32_t);
    constexpr index_t most_counted = index_t(1) << 31;
    auto* const counts = static_cast<std::uint32_t*>(memory.take(bytes));
    for (index_t first = begin; first < end; first += most_counted) {
      std::fill_n(counts, copies * values, 0u);
      for (index_t i = first; i < min(first + most_counted, end); ++i) ++counts[(i & (copies - 1)) * values + data[i] - lowest];
      std::lock_guard const turn(delivery);
      for (int c = 0; c < copies; ++c)
        for (int v = 0; v < values; ++v) ends[v] += counts[c * values + v];
    }
    memory.give_back(counts, bytes);
  });
  for (int v = 1; v < values; ++v) ends[v] += ends[v - 1];
  run_ranges(n, least_per_thread, [&](index_t begin, index_t end, scratch&) {
    auto v = std::upper_bound(ends, ends + values, begin) - ends;
    for (index_t i = begin; i < end; ++v) {
      index_t const last = min(ends[v], end);
      std::fill(data + i, data + last, E(v + lowest));
      i = last;
    }
  });
}

template void sort_by_counting(stream const&, std::int8_t*, index_t, source_location);
template void sort_by_counting(stream const&, std::int16_t*, index_t, source_location);

}  // namespace dolmen::cpu
