// What softmax and the norms do with rows: a row, or a piece of a long one, goes from cache to cache in blocks.
#pragma once

#include <utility>
#include <vector>

#include "../../algorithms/rows.hpp"
#include "engine.hpp"
#include "halves.hpp"
#include "stream_store.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::compute_t;
using dolmen::detail::row_plan;

constexpr index_t row_block = 2048;     // elements that are worked on in the first cache
constexpr index_t longest_row = 65536;  // elements; longer rows are split into pieces of this length

/// body(first, count) for the blocks of n elements.
template <class Body>
void each_block(index_t n, index_t block, Body body) {
  for (index_t first = 0; first < n; first += block) body(first, min(block, n - first));
}

/// Adds up in halves.
template <index_t Half, class C>
[[gnu::always_inline]] inline void fold(C* lane) {
#pragma omp simd
  for (index_t l = 0; l < Half; ++l) lane[l] += lane[l + Half];
  if constexpr (Half > 1) fold<Half / 2>(lane);
}

/// The sum of value(i): 64 sums side by side, folded in halves; blocks' sums are added in double. The order depends on n alone.
template <class C, class Value>
double sum_of(index_t n, Value value) {
  constexpr index_t lanes = 64;
  double total = 0;
  each_block(n, row_block, [&](index_t first, index_t count) {
    C lane[lanes] = {};
    index_t i = 0;
    for (; i + lanes <= count; i += lanes) {
#pragma omp simd
      for (index_t l = 0; l < lanes; ++l) lane[l] += value(first + i + l);
    }
    for (index_t l = 0; i + l < count; ++l) lane[l] += value(first + i + l);
    fold<lanes / 2>(lane);
    total += double(lane[0]);
  });
  return total;
}

/// The sums of value(i) and of its squares, in such an order too.
template <class C, class Value>
std::pair<double, double> sums_of(index_t n, Value value) {
  constexpr index_t lanes = 32;
  double total = 0, squares = 0;
  each_block(n, row_block, [&](index_t first, index_t count) {
    C lane[lanes] = {}, square[lanes] = {};
    index_t i = 0;
    for (; i + lanes <= count; i += lanes) {
#pragma omp simd
      for (index_t l = 0; l < lanes; ++l) {
        C const v = value(first + i + l);
        lane[l] += v;
        square[l] += v * v;
      }
    }
    for (index_t l = 0; i + l < count; ++l) {
      C const v = value(first + i + l);
      lane[l] += v;
      square[l] += v * v;
    }
    fold<lanes / 2>(lane);
    fold<lanes / 2>(square);
    total += double(lane[0]);
    squares += double(square[0]);
  });
  return {total, squares};
}

/// A row's elements in the type they are computed in: themselves, or a copy in `room`.
template <class T>
compute_t<T> const* computable(T const* row, index_t n, [[maybe_unused]] compute_t<T>* room) {
  if constexpr (std::is_same_v<T, compute_t<T>>) {
    return row;
  } else if constexpr (std::is_same_v<T, half>) {
    impl::widen(row, room, n);
    return room;
  } else {
#pragma omp simd
    for (index_t i = 0; i < n; ++i) room[i] = float(row[i]);
    return room;
  }
}

/// row[i] = value(i), rounded once, past the caches if asked.
template <class T, class Value>
void write_row(T* row, index_t n, bool past, Value value) {
  constexpr index_t most = 256;  // so that stores past the caches and reads take turns
  each_block(n, most, [&](index_t first, index_t count) {
    alignas(line_bytes) T block[most];
    T* const to = past ? block : row + first;
    if constexpr (std::is_same_v<T, half>) {
      float values[most];
#pragma omp simd
      for (index_t i = 0; i < count; ++i) values[i] = value(first + i);
      impl::narrow(values, to, count);
    } else if constexpr (half_type<T>) {  // their bits: g++ 12 does not vectorise stores of a class
      auto* const bits = reinterpret_cast<std::uint16_t*>(to);
#pragma omp simd
      for (index_t i = 0; i < count; ++i) bits[i] = T(value(first + i)).bits();
    } else {
#pragma omp simd
      for (index_t i = 0; i < count; ++i) to[i] = T(value(first + i));
    }
    if (past) store_past_caches(row + first, block, count * index_t(sizeof(T)));
  });
}

/// Memory for the conversion of a piece and for one more copy of it.
template <class C>
class row_room {
 public:
  row_room(scratch& s, index_t width) : scratch_(s), bytes_(2 * std::size_t(width) * sizeof(C)), data_(static_cast<C*>(s.take(bytes_))) {
    second_ = data_ + width;
  }
  row_room(row_room const&) = delete;
  ~row_room() { scratch_.give_back(data_, bytes_); }
  C* first() const { return data_; }
  C* second() const { return second_; }

 private:
  scratch& scratch_;
  std::size_t bytes_;
  C *data_, *second_;
};

/// Work on rows. `Work` has
///   state measure(x, n, room)     of a piece of n elements
///   state merge(states, n)        of a row's n pieces, in order
///   void finish(state, width)     of a whole row
///   void write(x, first, n, state, out, past), from the row's element `first` on
///   void row(x, n, room, out, past)            all of that for a row of one piece
template <class T, class Work>
void each_row(row_plan<T> const& p, Work const& work) {
  using C = compute_t<T>;
  constexpr index_t smallest_part = 16384;
  bool const past = p.in != p.out && past_caches(2 * p.count() * p.width * index_t(sizeof(T)));
  if (p.width <= longest_row) {
    run_ranges(p.count(), ceil_div(smallest_part, p.width), [&](index_t begin, index_t end, scratch& s) {
      row_room<C> const room(s, p.width);
      for (index_t i = begin; i < end; ++i)
        work.row(computable(p.in_at(i), p.width, room.first()), p.width, room.second(), p.out_at(i), past);
      if (past) finish_lines();
    });
    return;
  }
  index_t const pieces = ceil_div(p.width, longest_row);
  using state = typename Work::state;
  std::vector<state> states(std::size_t(p.count() * pieces));
  auto const each_piece = [&](auto body) {
    run_ranges(p.count() * pieces, 1, [&](index_t begin, index_t end, scratch& s) {
      row_room<C> const room(s, longest_row);
      for (index_t k = begin; k < end; ++k) {
        index_t const row = k / pieces, first = k % pieces * longest_row, n = min(longest_row, p.width - first);
        body(k, row, first, n, computable(p.in_at(row) + first, n, room.first()), room.second());
      }
      if (past) finish_lines();
    });
  };
  each_piece([&](index_t k, index_t, index_t, index_t n, C const* x, C* room) { states[std::size_t(k)] = work.measure(x, n, room); });
  for (index_t row = 0; row < p.count(); ++row) {
    state* const first = states.data() + row * pieces;
    *first = work.finish(work.merge(first, pieces), p.width);
  }
  each_piece([&](index_t, index_t row, index_t first, index_t n, C const* x, C*) {
    work.write(x, first, n, states[std::size_t(row * pieces)], p.out_at(row) + first, past);
  });
}

}  // namespace
}  // namespace dolmen::cpu
