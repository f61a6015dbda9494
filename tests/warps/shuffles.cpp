// Shuffles: every width, distances on both sides of what makes sense, values of many sizes, warps with lanes missing.
#include "checks.hpp"

#include <climits>

using namespace test_warps;

namespace {

template <class T>
std::vector<T> distinct(int n) {
  std::vector<T> values(std::size_t(n), T{});
  auto const bytes = testing::random_values<unsigned char>(index_t(n) * index_t(sizeof(T)), 5);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <class B, class Shape, class T, int W>
void check_shuffles(typename B::stream const& s) {
  using kernel = shuffles<Shape, T, W>;
  constexpr int size = Shape::size;
  CAPTURE(size);
  CAPTURE(W);
  auto const values = distinct<T>(size);
  std::vector<int> from;
  for (auto x : testing::random_values<std::uint32_t>(size, 6)) from.push_back(int(x % 100) - 30);
  from[0] = INT_MAX;
  guarded<T, B> in(s, values);
  guarded<int, B> lanes_in(s, from);
  guarded<T, B, 2> out(s, extents<2>{{kernel::rows, size}});
  for (int n : {0, 1, 2, 3, W - 1, W, W + 1, 31, 32, 100, -1, -2, -W, INT_MAX, INT_MIN}) {
    CAPTURE(n);
    launch(s, grid(1), kernel{n, in.view(), lanes_in.view(), out.view()});
    auto const seen = out.values();
    std::vector<std::vector<T>> const expected = {
        reference::shuffle(values, W, [&](int, int) { return long(n) & (W - 1); }),
        reference::shuffle(values, W, [&](int i, int) { return long(from[std::size_t(i)]) & (W - 1); }),
        reference::shuffle(values, W, [&](int, int lane) { return n < 0 ? lane : long(lane) - n; }),
        reference::shuffle(values, W, [&](int, int lane) { return n < 0 ? lane : long(lane) + n; }),
        reference::shuffle(values, W, [&](int, int lane) { return long(lane) ^ (long(n) & (W - 1)); })};
    for (int row = 0; row < kernel::rows; ++row) {
      CAPTURE(row);
      REQUIRE(same(part(seen, size, row, 0, size), expected[std::size_t(row % 5)]));
    }
  }
  CHECK(out.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("shuffles: in segments of every width", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_shuffles<B, block_shape<33>, std::uint8_t, 2>(s);
  check_shuffles<B, block_shape<100>, std::int64_t, 4>(s);
  check_shuffles<B, block_shape<64>, small_set<5>, 8>(s);
  check_shuffles<B, block_shape<1000>, std::int32_t, 16>(s);
  check_shuffles<B, block_shape<5, 3, 7>, std::uint32_t, 32>(s);
  check_shuffles<B, block_shape<32>, small_set<12>, 32>(s);
  check_shuffles<B, block_shape<1>, std::uint16_t, 32>(s);
  check_shuffles<B, block_shape<31>, run, 8>(s);
}
