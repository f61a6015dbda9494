// The warp, where one worker plays its lanes one after another. See block_like in block.hpp for what it offers.
#pragma once

#include "fragments.hpp"
#include "lanes.hpp"
#include "values.hpp"

namespace dolmen::emulation {

namespace types {

template <class Shape>
class warp {
 public:
  int const index;  // within the block
  int const lanes;  // 32, or fewer in the last warp

  DOLMEN_INLINE_FN warp(int index, int lanes, scratch& memory) : index(index), lanes(lanes), memory_(memory) {}

  // --- phases ---------------------------------------------------------------------------------------------------------
  template <class Body>
  DOLMEN_INLINE_FN void each_lane(Body&& body) const {
    dolmen::detail::check_phase<Body, thread>();
    lane_loop(lanes, body);
  }
  template <class Body>
  DOLMEN_INLINE_FN void each_lane(index_t active, Body&& body) const {
    dolmen::detail::check_phase<Body, thread>();
    lane_loop(active < 0 ? 0 : active < lanes ? int(active) : lanes, body);
  }
  template <class Body>
  DOLMEN_INLINE_FN void each_index(int count, Body&& body) const {
    dolmen::detail::check_index_phase<Body>();
    if constexpr (std::invocable<Body&, int, thread>) {
      for (int first = 0; first < count; first += lanes) each_lane(count - first, [&](thread const& t) { body(first + t.lane, t); });
    } else {
      DOLMEN_SIMD for (int i = 0; i < count; ++i) body(i);
    }
  }
  template <int Count, class Body>
  DOLMEN_INLINE_FN void each_index(fixed<Count>, Body&& body) const {
    dolmen::detail::check_index_phase<Body>();
    each_index(Count, body);
  }
  // Phases run one after another, so there is nothing to wait for.
  DOLMEN_INLINE_FN void sync() const {}

  DOLMEN_NO_EXEC_CHECK
  template <class T>
  DOLMEN_INLINE_FN auto per_lane(T initial) const {
    return emulation::per_lane<T>(memory_, warp_size, initial);
  }

  // --- operations of the lanes ------------------------------------------------------------------------------------------
  DOLMEN_NO_EXEC_CHECK
  template <class V, class Op = plus>
  DOLMEN_INLINE_FN auto reduce(V const& value, Op op = {}) const {
    return reduce_lanes<warp_size, typename V::value_type>(mine(value), lanes, op);
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, class Op, int W>
  DOLMEN_INLINE_FN auto reduce(V const& value, Op op, dolmen::lanes<W>) const {
    per_lane_group<typename V::value_type, W> result(memory_, warp_size / W);
    mine(value).template reduce<W>(op, result);
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, class Op = plus, int W = warp_size>
  DOLMEN_INLINE_FN auto inclusive_scan(V const& value, Op op = {}, dolmen::lanes<W> = {}) const {
    emulation::per_lane<typename V::value_type> result(memory_, warp_size);
    mine(value).template inclusive_scan<W>(op, [&](int i, auto const& x) { result.put(i, x); });
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, class Initial = typename V::value_type, class Op = plus, int W = warp_size>
  DOLMEN_INLINE_FN auto exclusive_scan(V const& value, Initial initial, Op op = {}, dolmen::lanes<W> = {}) const {
    using T = typename V::value_type;
    T const start = dolmen::detail::scan_start<T>(static_cast<Initial&&>(initial));
    emulation::per_lane<typename V::value_type> result(memory_, warp_size);
    mine(value).template exclusive_scan<W>(start, op, [&](int i, auto const& x) { result.put(i, x); });
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, int W = warp_size>
  DOLMEN_INLINE_FN auto shuffle(V const& value, int lane, dolmen::lanes<W> = {}) const {
    return shuffled<W>(value, shuffle_sources<W>::index(lane));
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, class L, int W = warp_size>
  requires requires { typename L::value_type; }
  DOLMEN_INLINE_FN auto shuffle(V const& value, L const& lane, dolmen::lanes<W> = {}) const {
    auto const from = mine(lane);
    return shuffled<W>(value, [&](int i, int) { return int(from(i)) & (W - 1); });
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, int W = warp_size>
  DOLMEN_INLINE_FN auto shuffle_up(V const& value, int n, dolmen::lanes<W> = {}) const {
    return shuffled<W>(value, shuffle_sources<W>::up(n));
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, int W = warp_size>
  DOLMEN_INLINE_FN auto shuffle_down(V const& value, int n, dolmen::lanes<W> = {}) const {
    return shuffled<W>(value, shuffle_sources<W>::down(n));
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, int W = warp_size>
  DOLMEN_INLINE_FN auto shuffle_xor(V const& value, int mask, dolmen::lanes<W> = {}) const {
    return shuffled<W>(value, shuffle_sources<W>::exchange(mask));
  }
  template <class V>
  DOLMEN_INLINE_FN std::uint32_t ballot(V const& value) const {
    return ballot_lanes(mine(value), lanes);
  }
  template <class V>
  DOLMEN_INLINE_FN bool any(V const& value) const {
    return ballot(value) != 0;
  }
  template <class V>
  DOLMEN_INLINE_FN bool all(V const& value) const {
    return ballot(value) == dolmen::detail::low_bits(lanes);
  }
  DOLMEN_NO_EXEC_CHECK
  template <class V, int W = warp_size>
  DOLMEN_INLINE_FN auto match(V const& value, dolmen::lanes<W> = {}) const {
    emulation::per_lane<std::uint32_t> result(memory_, warp_size);
    mine(value).template match<W>(result, 0);
    return result;
  }
  /// The value of one lane, for the whole warp.
  template <class V>
  DOLMEN_INLINE_FN auto broadcast(V const& value, int lane) const {
    return mine(value)(lane);
  }

  // --- fragments --------------------------------------------------------------------------------------------------------
  template <class Spec, class T>
  DOLMEN_INLINE_FN void fill(fragment<Spec>& f, T value) const {
    f.fill(value);
  }
  template <class Spec, class Matrix>
  DOLMEN_INLINE_FN void load(fragment<Spec>& f, Matrix const& from, at row, at column) const {
    load_fragment(f, from, row, column);
  }
  template <class Matrix, class Spec>
  DOLMEN_INLINE_FN void store(Matrix&& to, at row, at column, fragment<Spec> const& f) const {
    store_fragment(to, row, column, f);
  }
  template <class C, class A, class B>
  DOLMEN_INLINE_FN void mma(fragment<C>& c, fragment<A> const& a, fragment<B> const& b) const {
    multiply_accumulate(c, a, b);
  }
  template <class Spec, class Body>
  DOLMEN_INLINE_FN void each_element(fragment<Spec>& f, Body&& body) const {
    dolmen::detail::check_phase<Body, typename Spec::value_type&>();
    f.each(body);
  }
  template <class Spec, class Body>
  DOLMEN_INLINE_FN void each_element(fragment<Spec>& f, fragment<Spec> const& g, Body&& body) const {
    dolmen::detail::check_phase<Body, typename Spec::value_type&, typename Spec::value_type const&>();
    f.each(g, body);
  }

 private:
  template <class V>
  DOLMEN_INLINE_FN lane_values<V> mine(V const& value) const {
    collective_begins();
    return {value, V::first_of_warp(index), lanes};
  }
  DOLMEN_NO_EXEC_CHECK
  template <int W, class V, class Source>
  DOLMEN_INLINE_FN auto shuffled(V const& value, Source source) const {
    emulation::per_lane<typename V::value_type> result(memory_, warp_size);
    mine(value).template shuffle<W>(source, result, 0);
    return result;
  }
  template <class Body>
  DOLMEN_INLINE_FN void lane_loop(int count, Body& body) const {
    int const first = index * warp_size;
    DOLMEN_SIMD for (int lane = 0; lane < count; ++lane) {
      int const rank = first + lane;
      body(thread{rank % Shape::x, rank / Shape::x % Shape::y, rank / (Shape::x * Shape::y), rank, index, lane});
    }
  }

  scratch& memory_;
};

}  // namespace types

using types::warp;

}  // namespace dolmen::emulation
