// What the lanes of one segment do together, where one worker plays all of them. Trees have the GPU's shape, so that both
// give the same bits.
#pragma once

#include "../lanes.hpp"

namespace dolmen::emulation {

/// Reduces v[0 .. n), n <= W, in place of v. Commutative operators halve the segment (lane i takes i + W/2), others pair
/// neighbours, which keeps the order of the lanes. Lanes from n on are never passed to the operator.
template <int W, class T, class Op>
DOLMEN_INLINE_FN T reduce_lanes(T (&v)[W], int n, Op op) {
  if constexpr (dolmen::detail::is_commutative<Op>) {
    for (int d = W / 2; d > 0; d /= 2) {
      int const pairs = min(d, n - d);
      DOLMEN_SIMD for (int i = 0; i < pairs; ++i) v[i] = op(v[i], v[i + d]);
    }
  } else {
    for (int d = 1; d < W; d *= 2)
      for (int i = 0; i + d < n; i += 2 * d) v[i] = op(v[i], v[i + d]);
  }
  return v[0];
}

/// Inclusive scan of v[0 .. n) in log2(W) steps: lane i takes lane i - d.
template <int W, class T, class Op>
DOLMEN_INLINE_FN void scan_lanes(T (&v)[W], int n, Op op) {
  T before[W];
  for (int d = 1; d < W; d *= 2) {
    DOLMEN_SIMD for (int i = 0; i < n; ++i) before[i] = v[i];
    DOLMEN_SIMD for (int i = d; i < n; ++i) v[i] = op(before[i - d], before[i]);
  }
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
      value_type v[W];
      DOLMEN_SIMD for (int i = 0; i < n; ++i) v[i] = (*this)(begin + i);
      out.put(segment, reduce_lanes<W>(v, n, op));
    });
  }

  /// out(i) of lane i; `out` may be the same values.
  template <int W, class Op, class Put>
  DOLMEN_INLINE_FN void inclusive_scan(Op op, Put put) const {
    each_segment<W>([&](int, int begin, int n) {
      value_type v[W];
      DOLMEN_SIMD for (int i = 0; i < n; ++i) v[i] = (*this)(begin + i);
      scan_lanes<W>(v, n, op);
      DOLMEN_SIMD for (int i = 0; i < n; ++i) put(begin + i, v[i]);
    });
  }

  template <int W, class Op, class Initial, class Put>
  DOLMEN_INLINE_FN void exclusive_scan(Initial initial, Op op, Put put) const {
    each_segment<W>([&](int, int begin, int n) {
      value_type v[W];
      DOLMEN_SIMD for (int i = 0; i < n; ++i) v[i] = (*this)(begin + i);
      scan_lanes<W>(v, n, op);
      value_type const first = initial(begin);
      put(begin, first);
      DOLMEN_SIMD for (int i = 1; i < n; ++i) put(begin + i, op(first, v[i - 1]));
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
    each_segment<W>([&](int segment, int begin, int n) {
      std::uint32_t bits = 0;
      for (int i = 0; i < n; ++i) bits |= std::uint32_t(static_cast<bool>((*this)(begin + i))) << i;
      out.put(segment, bits);
    });
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
