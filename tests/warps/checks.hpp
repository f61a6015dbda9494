// Runs the kernels of this folder and compares every thread's results with the reference, bit by bit.
#pragma once

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/guarded.hpp"
#include "kernels.hpp"
#include "reference.hpp"

namespace test_warps {

using testing::guarded;

inline constexpr int blocks = 3;

/// Row `row` of a table with `columns` of them, from `first` on.
template <class T>
std::span<T const> part(std::vector<T> const& table, int columns, int row, int first, int count) {
  return std::span<T const>(table).subspan(std::size_t(row) * std::size_t(columns) + std::size_t(first), std::size_t(count));
}
template <class T>
bool same(std::span<T const> seen, std::vector<T> const& expected) {
  return reference::same_bits(seen, std::span<T const>(expected));
}
/// One value for each segment, as its lanes see it.
template <class T>
std::vector<T> spread(std::vector<T> const& values, int width, int count) {
  std::vector<T> result;
  for (int i = 0; i < count; ++i) result.push_back(values[std::size_t(i / width)]);
  return result;
}

/// The operator with which the reference computes; it complains to nobody.
inline int ignored = 0;
template <class Op>
Op for_the_reference(Op op) {
  if constexpr (requires { op.complaints; }) op.complaints = {&ignored, 1};
  return op;
}

template <class B, class Shape, class T, class Op>
void check_block(typename B::stream const& s, std::vector<T> const& values, T initial, Op op) {
  using kernel = block_collectives<Shape, T, Op>;
  constexpr int n = Shape::size, columns = blocks * n;
  CAPTURE(n);
  guarded<T, B> in(s, values);
  guarded<T, B, 2> out(s, extents<2>{{kernel::rows, columns}});
  launch(s, grid(blocks), kernel{op, initial, in.view(), out.view()});
  auto const seen = out.values();
  Op const op_here = for_the_reference(op);
  for (int b = 0; b < blocks; ++b) {
    auto const mine = std::span<T const>(values).subspan(std::size_t(b * n), std::size_t(n));
    auto const row = [&](int r) { return part(seen, columns, r, b * n, n); };
    auto before = reference::block_exclusive_scan(mine, initial, op_here);
    T const total = before.back();
    before.pop_back();
    CHECK(same(row(0), std::vector<T>(std::size_t(n), reference::block_reduce(mine, op_here))));
    CHECK(same(row(1), reference::block_inclusive_scan(mine, op_here)));
    CHECK(same(row(2), before));
    CHECK(same(row(3), std::vector<T>(std::size_t(n), total)));
    CHECK(same(row(4), before));
  }
  CHECK(out.intact());
}

template <class B, class Shape, int W, class T, class Op>
void check_warps(typename B::stream const& s, std::vector<T> const& values, T initial, Op op) {
  using kernel = warp_collectives<Shape, T, Op, W>;
  constexpr int n = Shape::size, columns = blocks * n;
  CAPTURE(n);
  CAPTURE(W);
  guarded<T, B> in(s, values);
  guarded<T, B, 2> out(s, extents<2>{{kernel::rows, columns}});
  launch(s, grid(blocks), kernel{op, initial, in.view(), out.view()});
  auto const seen = out.values();
  Op const op_here = for_the_reference(op);
  for (int b = 0; b < blocks; ++b) {
    auto const mine = std::span<T const>(values).subspan(std::size_t(b * n), std::size_t(n));
    auto const row = [&](int r) { return part(seen, columns, r, b * n, n); };
    auto const sums = spread(reference::reduce(mine, W, op_here), W, n), upto = reference::inclusive_scan(mine, W, op_here),
               before = reference::exclusive_scan(mine, initial, W, op_here);
    for (int scope : {0, 3}) {
      CAPTURE(scope);
      CHECK(same(row(scope), sums));
      CHECK(same(row(scope + 1), upto));
      CHECK(same(row(scope + 2), before));
    }
    CHECK(same(row(6), spread(reference::reduce(mine, 32, op_here), 32, n)));
  }
  CHECK(out.intact());
}

/// The same with operators that complain.
template <class B, class Check>
void without_complaints(typename B::stream const& s, Check check) {
  guarded<int, B> complaints(s, std::vector<int>{0});
  check(complaints.view());
  CHECK(complaints.values()[0] == 0);
}

template <class Shape>
inline constexpr int count_of = blocks* Shape::size;

/// Runs 0, 1, 2, ... of every block; the empty run before them.
template <class Shape>
std::vector<run> runs() {
  std::vector<run> result;
  for (int i = 0; i < count_of<Shape>; ++i) result.push_back({i % Shape::size, i % Shape::size, 1});
  return result;
}
/// Runs that start anew every W threads.
template <int W, class Shape>
std::vector<run> runs_of_warps() {
  auto result = runs<Shape>();
  for (auto& r : result) r = {r.first % W, r.first % W, 1};
  return result;
}
inline constexpr run before_all{-5, -1, 5};

/// Thread i of a block has the set {i}; the last number is for an initial value.
template <class Shape, int Words>
std::vector<small_set<Words>> single_sets() {
  static_assert(Shape::size < 32 * Words);
  std::vector<small_set<Words>> result(std::size_t(count_of<Shape>), small_set<Words>{});
  for (int i = 0; i < count_of<Shape>; ++i) {
    int const r = i % Shape::size;
    result[std::size_t(i)].words[r / 32] = 1u << (r % 32);
  }
  return result;
}
template <int Words>
small_set<Words> last_number() {
  small_set<Words> set{};
  set.words[Words - 1] = 1u << 31;
  return set;
}

inline std::vector<matrix> matrices(index_t n) {
  auto const x = testing::random_values<std::uint32_t>(4 * n, 7);
  std::vector<matrix> result;
  for (std::size_t i = 0; i < std::size_t(n); ++i)
    result.push_back({x[4 * i] % 65521, x[4 * i + 1] % 65521, x[4 * i + 2] % 65521, x[4 * i + 3] % 65521});
  return result;
}
inline std::vector<affine> maps(index_t n) {
  auto const x = testing::random_values<std::uint64_t>(2 * n, 8);
  std::vector<affine> result;
  for (std::size_t i = 0; i < std::size_t(n); ++i) result.push_back({x[2 * i] | 1, x[2 * i + 1]});
  return result;
}
inline std::vector<half> halves(index_t n) {
  std::vector<half> result;
  for (float x : testing::random_values<float>(n, 9)) result.push_back(half(x));
  return result;
}

}  // namespace test_warps
