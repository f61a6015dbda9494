// What a block offers beyond phases, where one worker plays its threads one after another: values per thread and warp,
// operations of warps and of the block, copies. The cpu and check backends' blocks inherit it. See block_like in block.hpp.
#pragma once

#include <bit>

#include "copies.hpp"
#include "warp.hpp"

namespace dolmen::emulation {

namespace types {

/// `File` keeps apart what different source files instantiate; see cpu::block.
template <class Shape, class File>
class block_operations {
 public:
  static constexpr int size = Shape::size, warps = dolmen::detail::warps_of(size);
  template <class Spec>
  using fragment = emulation::fragment<Spec>;

  DOLMEN_INLINE_FN explicit block_operations(scratch& memory) : memory_(memory) {}

  // --- values -----------------------------------------------------------------------------------------------------------
  DOLMEN_NO_EXEC_CHECK
  template <class T>
  DOLMEN_INLINE_FN auto per_thread(T initial) const {
    return emulation::per_thread<T>(memory_, size, initial);
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T>
  DOLMEN_INLINE_FN auto per_warp(T const& initial) const {
    return per_group<T, warp_size>(memory_, warps, initial);
  }

  // --- warps ------------------------------------------------------------------------------------------------------------
  DOLMEN_NO_EXEC_CHECK
  template <class Body>
  DOLMEN_INLINE_FN void each_warp(Body&& body) const {
    dolmen::detail::check_warp_scope<Body, warp<Shape>>();
    for (int w = 0; w < size / warp_size; ++w) {
      warp<Shape> current(w, warp_size, memory_);
      body(current);
    }
    if constexpr (size % warp_size != 0) {
      warp<Shape> current(warps - 1, size % warp_size, memory_);
      body(current);
    }
  }

  DOLMEN_NO_EXEC_CHECK
  template <class T, class Op = plus, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_reduce(emulation::per_thread<T> const& value, Op op = {}, lanes<W> = {}) const {
    per_group<T, W> result(memory_, ceil_div(size, W));
    lanes_of(value).template reduce<W>(op, result);
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, class Op = plus, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_inclusive_scan(emulation::per_thread<T> const& value, Op op = {}, lanes<W> = {}) const {
    emulation::per_thread<T> result(memory_, size);
    lanes_of(value).template inclusive_scan<W>(op, [&](int i, T const& x) { result.put(i, x); });
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, class Initial = T, class Op = plus, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_exclusive_scan(emulation::per_thread<T> const& value, Initial initial, Op op = {}, lanes<W> = {}) const {
    T const start = dolmen::detail::scan_start<T>(static_cast<Initial&&>(initial));
    emulation::per_thread<T> result(memory_, size);
    lanes_of(value).template exclusive_scan<W>(start, op, [&](int i, T const& x) { result.put(i, x); });
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_shuffle(emulation::per_thread<T> const& value, int lane, lanes<W> = {}) const {
    return shuffled<W>(value, shuffle_sources<W>::index(lane));
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_shuffle(emulation::per_thread<T> const& value, emulation::per_thread<int> const& lane, lanes<W> = {}) const {
    return shuffled<W>(value, [&](int i, int) { return lane.of(i) & (W - 1); });
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_shuffle_up(emulation::per_thread<T> const& value, int n, lanes<W> = {}) const {
    return shuffled<W>(value, shuffle_sources<W>::up(n));
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_shuffle_down(emulation::per_thread<T> const& value, int n, lanes<W> = {}) const {
    return shuffled<W>(value, shuffle_sources<W>::down(n));
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_shuffle_xor(emulation::per_thread<T> const& value, int mask, lanes<W> = {}) const {
    return shuffled<W>(value, shuffle_sources<W>::exchange(mask));
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_ballot(emulation::per_thread<T> const& value, lanes<W> = {}) const {
    per_group<std::uint32_t, W> result(memory_, ceil_div(size, W));
    lanes_of(value).template ballot<W>(result);
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_any(emulation::per_thread<T> const& value, lanes<W> w = {}) const {
    return tested(value, w, [](std::uint32_t bits, int) { return bits != 0; });
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_all(emulation::per_thread<T> const& value, lanes<W> w = {}) const {
    return tested(value, w, [](std::uint32_t bits, int n) { return bits == dolmen::detail::low_bits(n); });
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W = warp_size>
  DOLMEN_INLINE_FN auto warp_match(emulation::per_thread<T> const& value, lanes<W> = {}) const {
    emulation::per_thread<std::uint32_t> result(memory_, size);
    lanes_of(value).template match<W>(result, 0);
    return result;
  }

  // --- the block --------------------------------------------------------------------------------------------------------
  template <class T, class Op = plus>
  DOLMEN_INLINE_FN T reduce(emulation::per_thread<T> const& value, Op op = {}) const {
    partials<T> sums;
    lanes_of(value).template reduce<warp_size>(op, sums);
    return reduce_lanes<partials<T>::width, T>([&](int w) { return sums.values[w]; }, warps, op);
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, class Op = plus>
  DOLMEN_INLINE_FN auto inclusive_scan(emulation::per_thread<T> const& value, Op op = {}) const {
    emulation::per_thread<T> result(memory_, size);
    partials<T> last, before;
    lanes_of(value).template inclusive_scan<warp_size>(op, [&](int i, T const& x) { result.put(i, x); });
    for (int w = 0; w < warps; ++w) last.values[w] = result.of(min(w * warp_size + warp_size, size) - 1);
    before.scan(last, op);
    for (int w = 1; w < warps; ++w) {
      T const base = before.values[w - 1];
      int const first = w * warp_size, last = min(first + warp_size, size);
      DOLMEN_SIMD for (int i = first; i < last; ++i) result.put(i, op(base, result.of(i)));
    }
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, class Initial = T, class Op = plus>
  DOLMEN_INLINE_FN auto exclusive_scan(emulation::per_thread<T> const& value, Initial initial, Op op = {}) const {
    T total;
    return exclusive_scan(value, static_cast<Initial&&>(initial), op, total);
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, class Initial = T, class Op>
  DOLMEN_INLINE_FN auto exclusive_scan(emulation::per_thread<T> const& value, Initial initial, Op op, T& total) const {
    T const start = dolmen::detail::scan_start<T>(static_cast<Initial&&>(initial));
    emulation::per_thread<T> result(memory_, size);
    emulation::per_thread<T> within(memory_, size);
    partials<T> last, before;
    lanes_of(value).template inclusive_scan<warp_size>(op, [&](int i, T const& x) { within.put(i, x); });
    for (int w = 0; w < warps; ++w) last.values[w] = within.of(min(w * warp_size + warp_size, size) - 1);
    before.scan(last, op);
    for (int w = 0; w < warps; ++w) {
      T const base = w == 0 ? start : op(start, before.values[w - 1]);
      int const first = w * warp_size, last = min(first + warp_size, size);
      result.put(first, base);
      DOLMEN_SIMD for (int i = first + 1; i < last; ++i) result.put(i, op(base, within.of(i - 1)));
    }
    total = op(start, before.values[warps - 1]);
    return result;
  }
  template <class T>
  DOLMEN_INLINE_FN bool any(emulation::per_thread<T> const& value) const {
    return count(value) != 0;
  }
  template <class T>
  DOLMEN_INLINE_FN bool all(emulation::per_thread<T> const& value) const {
    return count(value) == size;
  }
  template <class T>
  DOLMEN_INLINE_FN int count(emulation::per_thread<T> const& value) const {
    int n = 0;
    for (int i = 0; i < size; ++i) n += static_cast<bool>(value.of(i));
    return n;
  }
  template <class T>
  DOLMEN_INLINE_FN T broadcast(emulation::per_thread<T> const& value, int rank) const {
    return value.of(rank);
  }
  template <class T>
  DOLMEN_INLINE_FN T uniform(emulation::per_thread<T> const& value, int rank = 0) const {
    return value.of(rank);
  }

  // --- copies -----------------------------------------------------------------------------------------------------------
  template <class T, int R, int C, int Rows, int Columns, class E>
  DOLMEN_INLINE_FN void copy_async(tile<T, R, C>& to, fixed<Rows, Columns>, view<E, 2> const& from, index_t row, index_t column) const {
    static_assert(Rows <= R && Columns <= C, "copy_async: the box is larger than the tile");
    dolmen::detail::check_copy<T, E, Columns, C>();
    constexpr int n = dolmen::detail::elements_in<T, std::remove_const_t<E>>;
    DOLMEN_ASSERT(*this, column % n == 0 && "copy_async by packs: the first column is a multiple of the pack");
    copy_box<Rows, Columns>(to.elements, C, reinterpret_cast<T const*>(from.data()), from.stride(0) * n, from.extent(0), from.extent(1) * n,
                            row, column);
  }
  template <class T, int N, int Count, class E>
  DOLMEN_INLINE_FN void copy_async(tile<T, N>& to, fixed<Count>, view<E, 1> const& from, index_t first) const {
    static_assert(Count <= N, "copy_async: the box is larger than the tile");
    dolmen::detail::check_copy<T, E, Count, N>();
    constexpr int n = dolmen::detail::elements_in<T, std::remove_const_t<E>>;
    DOLMEN_ASSERT(*this, first % n == 0 && "copy_async by packs: the first element is a multiple of the pack");
    copy_box<1, Count>(to.elements, N, reinterpret_cast<T const*>(from.data()), 0, 1, from.extent(0) * n, 0, first);
  }
  DOLMEN_INLINE_FN void commit_copies() const {}
  DOLMEN_INLINE_FN void wait_copies(int) const {}

 protected:
  DOLMEN_INLINE_FN scratch& memory() const { return memory_; }

 private:
  // One value per warp, for the second step of the block's operations.
  template <class T>
  struct partials {
    static constexpr int width = int(std::bit_ceil(unsigned(warps)));
    T values[width];
    DOLMEN_INLINE_FN void put(int w, T const& x) { values[w] = x; }
    template <class Op>
    DOLMEN_INLINE_FN void scan(partials const& from, Op op) {
      scan_lanes<width, width, T>([&](int w) { return from.values[w]; }, warps, op, [&](int w, T const& x) { values[w] = x; });
    }
  };
  template <class T>
  DOLMEN_INLINE_FN lane_values<emulation::per_thread<T>> lanes_of(emulation::per_thread<T> const& value) const {
    collective_begins();
    return {value, 0, size};
  }
  DOLMEN_NO_EXEC_CHECK
  template <int W, class T, class Source>
  DOLMEN_INLINE_FN auto shuffled(emulation::per_thread<T> const& value, Source source) const {
    emulation::per_thread<T> result(memory_, size);
    lanes_of(value).template shuffle<W>(source, result, 0);
    return result;
  }
  DOLMEN_NO_EXEC_CHECK
  template <class T, int W, class Test>
  DOLMEN_INLINE_FN auto tested(emulation::per_thread<T> const& value, lanes<W> w, Test test) const {
    per_group<bool, W> result(memory_, ceil_div(size, W));
    auto const bits = warp_ballot(value, w);
    for (int g = 0; g < ceil_div(size, W); ++g) result.put(g, test(bits.of(g), min(W, size - g * W)));
    return result;
  }

  scratch& memory_;
};

}  // namespace types

using types::block_operations;

}  // namespace dolmen::emulation
