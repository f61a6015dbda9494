// Warp scope: rounds of their own, phases of lanes, barriers of a warp, values of a warp.
#include <algorithm>

#include "checks.hpp"
#include "scope.hpp"

using namespace test_warps;

namespace {

template <class B, class Shape>
void check_rounds(typename B::stream const& s) {
  constexpr int n = Shape::size, warps = (n + 31) / 32;
  CAPTURE(n);
  std::vector<int> rounds;
  for (int w = 0; w < warps; ++w) rounds.push_back(w * 7 % 5 * 9);
  rounds.back() = 37;
  guarded<int, B> in(s, rounds);
  guarded<std::int64_t, B, 2> out(s, extents<2>{{3, n}});
  launch(s, grid(1), own_rounds<Shape>{in.view(), out.view()});
  auto const values = out.values();
  for (int w = 0; w < warps; ++w) {
    int const lanes = std::min(32, n - 32 * w);
    std::vector<std::int64_t> sum(std::size_t(lanes), 0), seen(std::size_t(lanes), 3);
    for (int r = 0; r < rounds[std::size_t(w)]; ++r) {
      for (int l = 0; l < std::min(lanes, r - 2); ++l) sum[std::size_t(l)] += 1000 * r + l;
      for (std::size_t l = 0; l < seen.size(); ++l) seen[l] = seen[l] % 1000003 * 3 + sum[l == 0 ? 0 : l - 1];
    }
    std::int64_t all = -7;
    if (rounds[std::size_t(w)] != 0) {
      all = sum.back();
      for (auto x : sum) all += x;
    }
    auto const row = [&](int r) { return part(values, n, r, 32 * w, lanes); };
    CHECK(same(row(0), seen));
    CHECK(same(row(1), std::vector<std::int64_t>(seen.size(), all)));
    CHECK(same(row(2), std::vector<std::int64_t>(seen.size(), 2 * all + 100 * w + lanes)));
  }
  CHECK(out.intact());
}

template <class B, class Shape>
void check_shared(typename B::stream const& s) {
  constexpr int n = Shape::size;
  CAPTURE(n);
  guarded<int, B> out(s, n);
  launch(s, grid(1), meet_in_shared<Shape>{out.view()});
  auto const seen = out.values();
  for (int first = 0; first < n; first += 32) {
    std::size_t const lanes = std::size_t(std::min(32, n - first));
    std::vector<std::uint32_t> value(lanes), sent(lanes);
    for (int r = 0; r < 10 + 3 * (first / 32); ++r) {
      for (std::size_t l = 0; l < lanes; ++l) sent[l] = value[l] + std::uint32_t(first) + std::uint32_t(l) + std::uint32_t(r);
      for (std::size_t l = 0; l < lanes; ++l) value[l] = 3 * value[l] + sent[(l * 5 + std::size_t(r)) % lanes];
    }
    for (std::size_t l = 0; l < lanes; ++l) REQUIRE(std::uint32_t(seen[std::size_t(first) + l]) == value[l]);
  }
}

template <class B, class Shape>
void check_indices(typename B::stream const& s) {
  constexpr int n = Shape::size, warps = (n + 31) / 32, columns = 200;
  using kernel = warp_indices<Shape>;
  CAPTURE(n);
  for (int count : {-3, 0, 1, 31, 33, 100}) {
    CAPTURE(count);
    if (count < 0 && is_check<B>) continue;  // a mistake there, which tests/planted has
    guarded<int, B, 3> out(s, extents<3>{{kernel::rows, warps, columns}}, std::vector<int>(kernel::rows * warps * columns, 0));
    launch(s, grid(1), kernel{count, out.view()});
    auto const seen = out.values();
    int const covered[] = {count, 70, 64, 5};
    for (int r = 0; r < kernel::rows; ++r)
      for (int w = 0; w < warps; ++w)
        for (int i = 0; i < columns; ++i) REQUIRE(seen[std::size_t((r * warps + w) * columns + i)] == (i < covered[r]));
    CHECK(out.intact());
  }
}

template <class B, class Shape, class Count>
void check_lanes(typename B::stream const& s, std::initializer_list<Count> counts) {
  for (Count active : counts) {
    CAPTURE(active);
    guarded<std::int64_t, B> out(s, std::vector<std::int64_t>(Shape::size, 0));
    launch(s, grid(1), which_lanes<Shape, Count>{active, out.view()});
    auto const seen = out.values();
    for (int r = 0; r < Shape::size; ++r) {
      int const x = r % Shape::x, y = r / Shape::x % Shape::y, z = r / (Shape::x * Shape::y);
      std::int64_t const expected = 1 + x + 10000 * y + 100000000ll * z + 10000000000ll * (r / 32) + 1000000000000ll * (r % 32);
      REQUIRE(seen[std::size_t(r)] == (index_t(r % 32) < index_t(active) ? expected : 0));
    }
    CHECK(out.intact());
  }
}

}  // namespace

TEST_CASE_TEMPLATE("warp scope: warps go their own number of rounds, or leave", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_rounds<B, block_shape<32, 8>>(s);
  check_rounds<B, block_shape<100>>(s);
  check_rounds<B, block_shape<1000>>(s);
  check_rounds<B, block_shape<1>>(s);
}

TEST_CASE_TEMPLATE("warp scope: lanes meet in shared memory", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_shared<B, block_shape<256>>(s);
  check_shared<B, block_shape<5, 3, 7>>(s);
  check_shared<B, block_shape<17>>(s);
}

TEST_CASE_TEMPLATE("warp scope: each_index covers each index once per warp", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_indices<B, block_shape<64>>(s);
  check_indices<B, block_shape<33>>(s);
  check_indices<B, block_shape<5, 3, 7>>(s);
  check_indices<B, block_shape<7>>(s);
}

TEST_CASE_TEMPLATE("warp scope: each_lane, the first lanes of each warp", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  constexpr index_t huge = 1000000000000;
  check_lanes<B, block_shape<32, 4>, index_t>(s, {-huge, -1, 0, 1, 31, 32, 33, huge});
  check_lanes<B, block_shape<5, 3, 7>, int>(s, {-1, 0, 8, 9, 10, 32, 100});
  check_lanes<B, block_shape<5, 3, 7>, std::uint32_t>(s, {0u, 9u, ~0u});
}
