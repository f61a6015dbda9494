// The operations of warps and blocks give the check backend the values that they give everywhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "../support/data.hpp"
#include "../warps/reference.hpp"
#include "../warps/scope.hpp"

#include <dolmen/check.hpp>

using namespace test_warps;
using testing::random_values;

namespace {

/// Results of one block, row by row.
template <class T>
struct table {
  int rows, columns;
  std::vector<T> values;
  table(int rows, int columns) : rows(rows), columns(columns), values(std::size_t(rows) * std::size_t(columns)) {}
  view<T, 2> all() { return {values.data(), rows, columns}; }
  bool row(int r, std::vector<T> const& expected) const {
    std::span<T const> const seen(values);
    return reference::same_bits(seen.subspan(std::size_t(r) * std::size_t(columns), std::size_t(columns)), std::span<T const>(expected));
  }
};
template <class T>
view<T const> of(std::vector<T> const& v) {
  return {v.data(), index_t(v.size())};
}
template <class T>
std::vector<T> spread(std::vector<T> const& values, int width, int count) {
  std::vector<T> result;
  for (int i = 0; i < count; ++i) result.push_back(values[std::size_t(i / width)]);
  return result;
}

template <class Shape, int W, class T, class Op>
void check_collectives(std::vector<T> const& in, T initial, Op op) {
  constexpr int n = Shape::size;
  CAPTURE(n);
  std::span<T const> const values(in);
  using of_block = block_collectives<Shape, T, Op>;
  table<T> b(of_block::rows, n);
  check::launch(grid(1), of_block{op, initial, of(in), b.all()});
  auto before = reference::block_exclusive_scan(values, initial, op);
  T const total = before.back();
  before.pop_back();
  CHECK(b.row(0, std::vector<T>(std::size_t(n), reference::block_reduce(values, op))));
  CHECK(b.row(1, reference::block_inclusive_scan(values, op)));
  CHECK(b.row(2, before));
  CHECK(b.row(3, std::vector<T>(std::size_t(n), total)));
  CHECK(b.row(4, before));

  using of_warps = warp_collectives<Shape, T, Op, W>;
  table<T> w(of_warps::rows, n);
  check::launch(grid(1), of_warps{op, initial, of(in), w.all()});
  for (int scope : {0, 3}) {
    CHECK(w.row(scope, spread(reference::reduce(values, W, op), W, n)));
    CHECK(w.row(scope + 1, reference::inclusive_scan(values, W, op)));
    CHECK(w.row(scope + 2, reference::exclusive_scan(values, initial, W, op)));
  }
  CHECK(w.row(6, spread(reference::reduce(values, 32, op), 32, n)));
}

}  // namespace

TEST_CASE("check: reductions and scans") {
  check_collectives<block_shape<32, 8>, 32>(random_values<float>(256), 0.5f, plus{});
  check_collectives<block_shape<100>, 8>(random_values<double>(100), 0.5, maximum{});
  std::vector<affine> maps;
  for (auto x : random_values<std::uint64_t>(33)) maps.push_back({x | 1, x / 3});
  check_collectives<block_shape<33>, 16>(maps, affine{3, 4}, first_then{});
}

TEST_CASE("check: shuffles") {
  constexpr int n = 100, W = 8;
  auto const values = random_values<std::int32_t>(n);
  std::vector<int> from;
  for (int i = 0; i < n; ++i) from.push_back(i * 7 % 50 - 20);
  for (int d : {0, 1, 7, 8, 100, -1}) {
    CAPTURE(d);
    using kernel = shuffles<block_shape<n>, std::int32_t, W>;
    table<std::int32_t> out(kernel::rows, n);
    check::launch(grid(1), kernel{d, of(values), of(from), out.all()});
    for (int scope : {0, 5}) {
      CHECK(out.row(scope, reference::shuffle(values, W, [&](int, int) { return d & (W - 1); })));
      CHECK(out.row(scope + 1, reference::shuffle(values, W, [&](int i, int) { return from[std::size_t(i)] & (W - 1); })));
      CHECK(out.row(scope + 2, reference::shuffle(values, W, [&](int, int lane) { return d < 0 ? lane : lane - d; })));
      CHECK(out.row(scope + 3, reference::shuffle(values, W, [&](int, int lane) { return d < 0 ? lane : lane + d; })));
      CHECK(out.row(scope + 4, reference::shuffle(values, W, [&](int, int lane) { return lane ^ (d & (W - 1)); })));
    }
  }
}

TEST_CASE("check: ballots and matches, of segments and of the block") {
  constexpr int n = 40, W = 16;
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(i < 32 ? i % 3 : 1);
  using kernel = votes<block_shape<n>, int, W>;
  table<std::uint32_t> out(kernel::rows, n);
  check::launch(grid(1), kernel{of(values), out.all()});
  for (int i = 0; i < n; ++i) {
    std::uint32_t ballot = 0, match = 0, of_warp = 0;
    for (int k = 0; k < n; ++k) {
      if (k / W == i / W) ballot |= std::uint32_t(values[std::size_t(k)] != 0) << k % W;
      if (k / W == i / W) match |= std::uint32_t(values[std::size_t(k)] == values[std::size_t(i)]) << k % W;
      if (k / 32 == i / 32) of_warp |= std::uint32_t(values[std::size_t(k)] != 0) << k % 32;
    }
    std::uint32_t const all = i >= 32;
    std::uint32_t const expected[] = {ballot, 1, all, match, match, of_warp, 1, all};
    for (int r = 0; r < kernel::rows; ++r) REQUIRE(out.values[std::size_t(r * n + i)] == expected[r]);
  }
  table<double> block(block_votes<block_shape<n>, int>::rows, n);
  check::launch(grid(1), block_votes<block_shape<n>, int>{2, of(values), block.all()});
  double const expected[] = {1, 0, 29, 0, 2, 2};
  for (int r = 0; r < 6; ++r) CHECK(block.row(r, std::vector<double>(n, expected[r])));
}

TEST_CASE("check: warp scope") {
  std::vector<int> met(100), hits(4 * 4 * 100);
  check::launch(grid(1), meet_in_shared<block_shape<100>>{{met.data(), 100}});
  CHECK(std::count(met.begin(), met.end(), 0) < 10);
  check::launch(grid(1), warp_indices<block_shape<100>>{33, view<int, 3>(hits.data(), 4, 4, 100)});
  int const covered[] = {33, 70, 64, 5};
  for (std::size_t i = 0; i < hits.size(); ++i) REQUIRE(hits[i] == (int(i % 100) < covered[i / 400]));
  std::vector<int> const rounds{0, 5, 3, 40};
  table<std::int64_t> out(3, 100);
  check::launch(grid(1), own_rounds<block_shape<100>>{of(rounds), out.all()});
  CHECK(out.values[100] == -7);  // the first warp left at once
  CHECK(out.values[200] == 2 * -7 + 32);
  CHECK(out.values[199] == out.values[196]);  // one value for the last warp's four lanes
  CHECK(out.values[299] == 2 * out.values[199] + 300 + 4);
}
