// What the lanes of one segment do together, where one worker plays all of them. Trees have the GPU's shape, so that both
// give the same bits.
#pragma once

#include "../lanes.hpp"

namespace dolmen::emulation {

// Each step is a template of its distance and a loop that g++ vectorises before it unrolls it; with n known too, a
// reduction is a few vector instructions. Steps go from one array to another, the first from where the values lie: a copy
// made in other pieces than it is then read in would wait for the store buffer.
#if defined(__clang__) || defined(__CUDA_ARCH__)
#define DOLMEN_LANE_LOOP DOLMEN_SIMD
#else
#define DOLMEN_LANE_LOOP _Pragma("GCC unroll 1") DOLMEN_SIMD
#endif
#if defined(__CUDACC__)  // nvcc hands this pragma on, but does not know it
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

/// v[i] = op(from(i), from(i + Distance)) where there are two, from(i) else; for i < Distance and i < n.
template <int Distance, class T, int W, class From, class Op>
DOLMEN_INLINE_FN void halve(T (&v)[W], From from, int n, Op op) {
  int const pairs = max(min(Distance, n - Distance), 0), all = min(Distance, n);
  DOLMEN_LANE_LOOP for (int i = 0; i < pairs; ++i) v[i] = op(from(i), from(i + Distance));
  for (int i = pairs; i < all; ++i) v[i] = from(i);
  if constexpr (Distance > 1) {
    auto const joined = [&](int i) { return v[i]; };
    halve<Distance / 2>(v, joined, all, op);
  }
}
template <int Distance, class T, int W, class Op>
DOLMEN_INLINE_FN void join_neighbours(T (&v)[W], int n, Op op) {
  for (int i = 0; i + Distance < n; i += 2 * Distance) v[i] = op(v[i], v[i + Distance]);
  if constexpr (2 * Distance < W) join_neighbours<2 * Distance>(v, n, op);
}

/// Reduces from(0) .. from(n - 1), 1 <= n <= W. Commutative operators halve the segment (lane i takes i + W/2), others pair
/// neighbours, which keeps the order of the lanes. Lanes from n on are never passed to the operator.
template <int W, class T, class From, class Op>
DOLMEN_INLINE_FN T reduce_lanes(From from, int n, Op op) {
  if constexpr (W == 1) {
    return from(0);
  } else {
    T v[W]{};  // where n is no constant, compilers do not see that all which is read was written
    if constexpr (dolmen::detail::is_commutative<Op>) {
      halve<W / 2>(v, from, n, op);
    } else {
      for (int i = 0; i < n; ++i) v[i] = from(i);
      join_neighbours<1>(v, n, op);
    }
    return v[0];
  }
}

/// One step of the scans of all segments of W lanes among n, then those after it; from `from` by way of `a` and `b`, the last
/// one by put(i, value). Segment by segment each step would wait for the stores of the one before.
template <int Distance, int W, class T, class From, class Op, class Put>
DOLMEN_INLINE_FN void scan_steps(From from, T* a, T* b, int n, Op op, Put put) {
  constexpr bool last = 2 * Distance >= W;
  auto const segment = [&](int begin, int lanes) {
    for (int i = begin; i < begin + min(Distance, lanes); ++i)
      if constexpr (last)
        put(i, from(i));
      else
        a[i] = from(i);
    DOLMEN_LANE_LOOP for (int i = begin + Distance; i < begin + lanes; ++i) {
      if constexpr (last)
        put(i, op(from(i - Distance), from(i)));
      else
        a[i] = op(from(i - Distance), from(i));
    }
  };
  int const whole = n / W * W;
  for (int begin = 0; begin < whole; begin += W) segment(begin, W);
  if (whole < n) segment(whole, n - whole);
  auto const scanned = [a](int i) { return a[i]; };
  if constexpr (!last) scan_steps<2 * Distance, W>(scanned, b, a, n, op, put);
}
/// Inclusive scan of each W of from(0) .. from(n - 1), n <= Most, in log2(W) steps: lane i takes lane i - d. put(i, value) must
/// not change what `from` reads.
template <int W, int Most, class T, class From, class Op, class Put>
DOLMEN_INLINE_FN void scan_lanes(From from, int n, Op op, Put put) {
  T a[Most], b[Most];
  if constexpr (W == 1)
    put(0, from(0));
  else
    scan_steps<1, W>(from, a, b, n, op, put);
}

#undef DOLMEN_LANE_LOOP
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif

/// Bit i is set where from(i) is true, for i < n.
template <class From>
DOLMEN_INLINE_FN std::uint32_t ballot_lanes(From from, int n) {
  std::uint32_t bits = 0;
  for (int i = 0; i < n; ++i) bits |= std::uint32_t(static_cast<bool>(from(i))) << i;
  return bits;
}

/// Values of `count` neighbouring lanes, from `first` on in a per_thread or per_lane.
template <class Values>
struct lane_values {
  Values const& values;
  int first, count;
  using value_type = typename Values::value_type;
  DOLMEN_INLINE_FN value_type operator()(int i) const { return values.of(first + i); }

  /// Calls f(segment, first lane, lanes) for every segment of W lanes.
  template <int W, class F>
  DOLMEN_INLINE_FN void each_segment(F f) const {
    for (int s = 0; s < count / W; ++s) f(s, s * W, W);
    if (count % W != 0) f(count / W, count / W * W, count % W);
  }

  template <int W, class Op, class Out>
  DOLMEN_INLINE_FN void reduce(Op op, Out& out) const {
    each_segment<W>([&](int segment, int begin, int n) {
      out.put(segment, reduce_lanes<W, value_type>([&](int i) { return (*this)(begin + i); }, n, op));
    });
  }

  // Lanes whose scans go step by step together: some KiB of them.
  template <int W>
  static constexpr int together = int(max(std::size_t(W), min(std::size_t(256), 4096 / sizeof(value_type) / W * W)));

  /// put(i, value) for lane i, into other values than these.
  template <int W, class Op, class Put>
  DOLMEN_INLINE_FN void inclusive_scan(Op op, Put put) const {
    each_segment<together<W>>([&](int, int begin, int n) {
      scan_lanes<W, together<W>, value_type>([&](int i) { return (*this)(begin + i); }, n, op,
                                             [&](int i, value_type const& x) { put(begin + i, x); });
    });
  }

  template <int W, class Op, class Put>
  DOLMEN_INLINE_FN void exclusive_scan(value_type const& initial, Op op, Put put) const {
    each_segment<together<W>>([&](int, int begin, int n) {
      value_type v[together<W>];
      scan_lanes<W, together<W>, value_type>([&](int i) { return (*this)(begin + i); }, n, op,
                                             [&](int i, value_type const& x) { v[i] = x; });
      for (int first = 0; first < n; first += W) {
        int const last = min(first + W, n);
        put(begin + first, initial);
        DOLMEN_SIMD for (int i = first + 1; i < last; ++i) put(begin + i, op(initial, v[i - 1]));
      }
    });
  }

  /// Lane i takes the value of lane source(i) of its segment; its own where there is no such lane.
  template <int W, class Source, class Out>
  DOLMEN_INLINE_FN void shuffle(Source source, Out& out, int first_out) const {
    each_segment<W>([&](int, int begin, int n) {
      DOLMEN_SIMD for (int i = 0; i < n; ++i) {
        int const from = source(begin + i, i);
        out.put(first_out + begin + i, (*this)(begin + (from >= 0 && from < n ? from : i)));
      }
    });
  }

  /// Bit i is set where lane i of the segment holds true.
  template <int W, class Out>
  DOLMEN_INLINE_FN void ballot(Out& out) const {
    each_segment<W>([&](int segment, int begin, int n) { out.put(segment, ballot_lanes([&](int i) { return (*this)(begin + i); }, n)); });
  }

  template <int W, class Out>
  DOLMEN_INLINE_FN void match(Out& out, int first_out) const {
    each_segment<W>([&](int, int begin, int n) {
      for (int i = 0; i < n; ++i) {
        auto const mine = dolmen::detail::match_bits((*this)(begin + i));
        std::uint32_t bits = 0;
        for (int k = 0; k < n; ++k) bits |= std::uint32_t(dolmen::detail::match_bits((*this)(begin + k)) == mine) << k;
        out.put(first_out + begin + i, bits);
      }
    });
  }
};

/// Where a shuffle reads: functions of (lane among those given, lane within its segment).
template <int W>
struct shuffle_sources {
  DOLMEN_INLINE_FN static auto index(int lane) {
    return [lane](int, int) { return lane & (W - 1); };
  }
  DOLMEN_INLINE_FN static auto up(int n) {
    return [n](int, int lane) { return n < 0 || n >= W ? lane : lane - n; };
  }
  DOLMEN_INLINE_FN static auto down(int n) {
    return [n](int, int lane) { return n < 0 || n >= W ? lane : lane + n; };
  }
  DOLMEN_INLINE_FN static auto exchange(int mask) {
    return [mask](int, int lane) { return lane ^ (mask & (W - 1)); };
  }
};

}  // namespace dolmen::emulation
