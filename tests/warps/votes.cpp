// Ballots, matches and counts: bits are relative to the segment, and lanes that are not there have none.
#include <algorithm>

#include "checks.hpp"

using namespace test_warps;

namespace {

template <class T>
std::vector<std::uint32_t> ballots(std::vector<T> const& v, int width) {
  std::vector<std::uint32_t> result;
  reference::each_segment(std::span<T const>(v), width, [&](auto segment) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < segment.size(); ++i)
      if (segment[i]) bits |= 1u << i;
    for (std::size_t i = 0; i < segment.size(); ++i) result.push_back(bits);
  });
  return result;
}
template <class T, class Holds>
std::vector<std::uint32_t> tests(std::vector<T> const& v, int width, Holds holds) {
  std::vector<std::uint32_t> result;
  reference::each_segment(std::span<T const>(v), width, [&](auto segment) {
    bool const yes = holds(segment.begin(), segment.end(), [](T x) { return bool(x); });
    for (std::size_t i = 0; i < segment.size(); ++i) result.push_back(yes);
  });
  return result;
}
template <class T>
std::vector<std::uint32_t> matches(std::vector<T> const& v, int width) {
  std::vector<std::uint32_t> result;
  reference::each_segment(std::span<T const>(v), width, [&](auto segment) {
    for (auto const& mine : segment) {
      std::uint32_t bits = 0;
      for (std::size_t i = 0; i < segment.size(); ++i) bits |= std::uint32_t(reference::same_bits(segment[i], mine)) << i;
      result.push_back(bits);
    }
  });
  return result;
}

auto const any = [](auto... x) { return std::any_of(x...); };
auto const all = [](auto... x) { return std::all_of(x...); };

template <class B, class Shape, int W, class T>
void check_votes(typename B::stream const& s, std::vector<T> values) {
  using kernel = votes<Shape, T, W>;
  constexpr int n = Shape::size;
  CAPTURE(n);
  CAPTURE(W);
  values.resize(n);
  guarded<T, B> in(s, values);
  guarded<std::uint32_t, B, 2> out(s, extents<2>{{kernel::rows, n}});
  launch(s, grid(1), kernel{in.view(), out.view()});
  auto const seen = out.values();
  auto const row = [&](int r) { return part(seen, n, r, 0, n); };
  CHECK(same(row(0), ballots(values, W)));
  CHECK(same(row(1), tests(values, W, any)));
  CHECK(same(row(2), tests(values, W, all)));
  CHECK(same(row(3), matches(values, W)));
  CHECK(same(row(4), matches(values, W)));
  CHECK(same(row(5), ballots(values, 32)));
  CHECK(same(row(6), tests(values, 32, any)));
  CHECK(same(row(7), tests(values, 32, all)));
  CHECK(out.intact());
}

/// All of one kind, and every mixture in between.
template <class B, class Shape, int W, class T>
void check_mixtures(typename B::stream const& s, std::vector<T> const& kinds) {
  auto const pick = testing::random_values<std::uint32_t>(Shape::size, 11);
  for (std::uint32_t rare : {0u, 1u, 2u, 20u}) {  // 0: the first kind only; otherwise one in `rare` is another
    std::vector<T> values;
    for (auto x : pick) values.push_back(rare != 0 && x % rare == 0 ? kinds[x / 32 % kinds.size()] : kinds[0]);
    check_votes<B, Shape, W>(s, values);
  }
}

template <class B, class Shape, class T>
void check_block_votes(typename B::stream const& s, std::vector<T> const& values, int rank) {
  using kernel = block_votes<Shape, T>;
  constexpr int n = Shape::size;
  CAPTURE(n);
  guarded<T, B> in(s, values);
  guarded<double, B, 2> out(s, extents<2>{{kernel::rows, n}});
  launch(s, grid(1), kernel{rank, in.view(), out.view()});
  auto const seen = out.values();
  auto const holds = [](T x) { return bool(x); };
  double const expected[] = {double(std::any_of(values.begin(), values.end(), holds)),
                             double(std::all_of(values.begin(), values.end(), holds)),
                             double(std::count_if(values.begin(), values.end(), holds)),
                             double(values[0]),
                             double(values[std::size_t(rank)]),
                             double(values[std::size_t(rank)])};
  for (int r = 0; r < kernel::rows; ++r) {
    CAPTURE(r);
    CHECK(same(part(seen, n, r, 0, n), std::vector<double>(n, expected[r])));
  }
}
/// None, all, one false, one true, some.
template <class B, class Shape, class T>
void check_block_mixtures(typename B::stream const& s, T yes) {
  constexpr std::size_t n = Shape::size;
  std::vector<T> v(n, T(0));
  check_block_votes<B, Shape>(s, v, 0);
  v[n - 1] = yes;
  check_block_votes<B, Shape>(s, v, int(n) - 1);
  v.assign(n, yes);
  check_block_votes<B, Shape>(s, v, int(n) / 2);
  v[n - 1] = T(0);
  check_block_votes<B, Shape>(s, v, int(n) - 1);
  for (std::size_t i = 0; i < n; ++i) v[i] = i % 3 == 1 ? yes : T(0);
  check_block_votes<B, Shape>(s, v, int(n / 2));
}

}  // namespace

TEST_CASE_TEMPLATE("votes of warps: segments, missing lanes, kinds of values", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  float const nan = testing::quiet_nan<float>;
  std::uint64_t const high = std::uint64_t(1) << 40;
  check_mixtures<B, block_shape<100>, 2>(s, std::vector<int>{0, 1, -1});
  check_mixtures<B, block_shape<33>, 4>(s, std::vector<std::uint8_t>{1, 0, 128});
  check_mixtures<B, block_shape<64>, 8>(s, std::vector<float>{-0.0f, 0.0f, nan, 1.0f});
  check_mixtures<B, block_shape<1000>, 16>(s, std::vector<std::uint64_t>{1, high + 1, 0, high});
  check_mixtures<B, block_shape<1000>, 32>(s, std::vector<float>{nan, 0.0f, -0.0f});
  check_mixtures<B, block_shape<5, 3, 7>, 32>(s, std::vector<std::uint16_t>{3, 0, 0x300});
}

TEST_CASE_TEMPLATE("votes of the block, and the value of one thread", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_block_mixtures<B, block_shape<1>>(s, 1);
  check_block_mixtures<B, block_shape<32>>(s, std::uint8_t(128));
  check_block_mixtures<B, block_shape<5, 3, 7>>(s, 0.25);
  check_block_mixtures<B, block_shape<1000>>(s, std::int64_t(1) << 40);
  check_block_mixtures<B, block_shape<1024>>(s, -2.0f);
}
