// copy_async: every element width, packs, and boxes at every place, against a reference; zeros outside, and nothing but the box.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;

namespace test_copies {

/// Poison, then the box, then the whole tile to out.
template <class T, int R, int C, int Rows, int Columns, class E>
struct box {
  using shape = block_shape<96>;
  struct shared {
    tile<T, R, C> to;
  };
  view<E const, 2> from;
  view<T, 2> out;
  T poison;
  index_t row, column;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_index(fixed<R, C>{}, [&](int y, int x) { mem.to(y, x) = poison; });
    block.sync();
    block.copy_async(mem.to, fixed<Rows, Columns>{}, from, row, column);
    block.commit_copies();
    block.wait_copies(0);
    block.sync();
    block.each_index(fixed<R, C>{}, [&](int y, int x) { out(y, x) = mem.to.load(y, x); });
  }
};

template <class T, int N, int Count, class E>
struct line {
  using shape = block_shape<32>;
  struct shared {
    tile<T, N> to;
  };
  view<E const> from;
  view<T> out;
  T poison;
  index_t first;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_index(N, [&](int x) { mem.to(x) = poison; });
    block.sync();
    block.copy_async(mem.to, fixed<Count>{}, from, first);
    block.commit_copies();
    block.wait_copies(0);
    block.sync();
    block.each_index(N, [&](int x) { out(x) = mem.to.load(x); });
  }
};

/// Two floats at any multiple of 4, and two doubles at any multiple of 8: no word of their whole size can be copied.
struct pair_of_floats {
  float x, y;
};
struct pair_of_doubles {
  double x, y;
};

template <class T>
std::vector<T> values_of(index_t n) {
  auto const bytes = testing::random_values<unsigned char>(n * index_t(sizeof(T)), 7);
  std::vector<T> values(static_cast<std::size_t>(n));
  std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
  return values;
}

template <class T>
bool same(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(T) * a.size()) == 0;
}

/// In elements of E, of which the view has height x width: every way to lie across its edges.
struct spot {
  index_t row, column;
};
template <int Rows, int Columns>
std::vector<spot> spots(index_t height, index_t width) {
  index_t const far = index_t(1) << 40;
  std::vector<spot> all;
  for (index_t row : {-far, -index_t(Rows), 1 - index_t(Rows), index_t(-1), index_t(0), index_t(2), height - Rows, height - Rows + 1,
                      height - 1, height, far})
    for (index_t column : {-index_t(Columns), 1 - index_t(Columns), index_t(-1), index_t(0), width - Columns, width - 1, width})
      all.push_back({row, column});
  for (index_t column : {-far, far}) all.push_back({1, column});
  return all;
}

/// N: elements of T in one of E.
template <class B, class T, int R, int C, int Rows, int Columns, class E, int N>
void check_boxes(index_t height, index_t width, testing::place where) {
  CAPTURE(sizeof(E));
  CAPTURE(height);
  CAPTURE(width);
  typename B::stream s;
  auto const values = values_of<T>(height * width * N);
  where.offset *= N;
  where.gap *= N;
  guarded<T, B, 2> from(s, {{height, width * N}}, values, where);
  view<E const, 2> in;
  if constexpr (N == 1)
    in = from.const_view();
  else
    in = from.const_view().template as_packs<N>();
  auto const poison = values_of<T>(1)[0];
  guarded<T, B, 2> out(s, {{R, C}});
  int wrong = 0;
  for (auto const [row, column] : spots<Rows, Columns / N>(height, width)) {
    launch(s, grid(1), box<T, R, C, Rows, Columns, E>{in, out.view(), poison, row, column * N});
    std::vector<T> expected(R * C, poison);
    for (int y = 0; y < Rows; ++y)
      for (int x = 0; x < Columns; ++x) {
        index_t const i = row + y, j = column * N + x;
        bool const inside = i >= 0 && i < height && j >= 0 && j < width * N;
        auto& e = expected[std::size_t(y * C + x)];
        if (inside)
          e = values[std::size_t(i * width * N + j)];
        else
          std::memset(static_cast<void*>(&e), 0, sizeof(T));
      }
    wrong += !same(out.values(), expected);
  }
  CHECK(wrong == 0);
  CHECK(out.intact());
  CHECK(from.intact());
}

template <class B, class T, int N, int Count, class E, int Width>
void check_lines(index_t n, index_t offset) {
  CAPTURE(sizeof(E));
  CAPTURE(n);
  typename B::stream s;
  auto const values = values_of<T>(n * Width);
  guarded<T, B> from(s, {{n * Width}}, values, {offset * Width, 0});
  view<E const> in;
  if constexpr (Width == 1)
    in = from.const_view();
  else
    in = from.const_view().template as_packs<Width>();
  auto const poison = values_of<T>(1)[0];
  guarded<T, B> out(s, index_t(N));
  int wrong = 0;
  index_t const far = index_t(1) << 40;
  for (index_t first : {-far, -index_t(Count), index_t(-3), index_t(-1), index_t(0), index_t(1), n - 2, n - 1, n, far}) {
    launch(s, grid(1), line<T, N, Count, E>{in, out.view(), poison, first * Width});
    std::vector<T> expected(N, poison);
    for (int x = 0; x < Count; ++x) {
      index_t const j = first * Width + x;
      if (j >= 0 && j < n * Width)
        expected[std::size_t(x)] = values[std::size_t(j)];
      else
        std::memset(static_cast<void*>(&expected[std::size_t(x)]), 0, sizeof(T));
    }
    wrong += !same(out.values(), expected);
  }
  CHECK(wrong == 0);
  CHECK(out.intact());
}

}  // namespace test_copies

using namespace test_copies;

TEST_CASE_TEMPLATE("copy_async: elements of 1 to 16 bytes", B, DOLMEN_TEST_BACKENDS) {
  check_boxes<B, unsigned char, 7, 19, 5, 16, unsigned char, 1>(9, 21, {1, 3});
  check_boxes<B, std::int16_t, 6, 10, 6, 9, std::int16_t, 1>(11, 9, {0, 0});
  check_boxes<B, half, 4, 40, 4, 32, half, 1>(7, 50, {3, 5});
  check_boxes<B, float, 9, 12, 8, 11, float, 1>(13, 17, {1, 2});
  check_boxes<B, std::int64_t, 5, 7, 5, 6, std::int64_t, 1>(8, 8, {1, 1});
  check_boxes<B, double, 3, 5, 2, 4, double, 1>(2, 3, {0, 2});  // a view that is smaller than the box
  check_boxes<B, pair_of_floats, 4, 6, 3, 5, pair_of_floats, 1>(6, 7, {1, 1});
  check_boxes<B, pair_of_doubles, 4, 6, 3, 5, pair_of_doubles, 1>(6, 7, {1, 1});
  check_boxes<B, dolmen::array<float, 3>, 4, 6, 3, 5, dolmen::array<float, 3>, 1>(6, 7, {1, 1});
}

TEST_CASE_TEMPLATE("copy_async: packs", B, DOLMEN_TEST_BACKENDS) {
  check_boxes<B, half, 6, 40, 5, 32, pack<half, 8>, 8>(8, 6, {1, 1});
  check_boxes<B, half, 6, 36, 6, 32, pack<half, 4>, 4>(7, 9, {1, 3});
  check_boxes<B, half, 3, 10, 2, 8, pack<half, 2>, 2>(5, 7, {1, 1});
  check_boxes<B, float, 5, 20, 4, 16, pack<float, 4>, 4>(9, 5, {0, 1});
  check_boxes<B, float, 4, 8, 4, 8, pack<float, 2>, 2>(5, 5, {1, 0});
  check_boxes<B, unsigned char, 4, 48, 3, 32, pack<unsigned char, 16>, 16>(6, 3, {1, 1});
  check_boxes<B, unsigned char, 4, 12, 4, 8, pack<unsigned char, 4>, 4>(5, 5, {1, 1});
  check_boxes<B, unsigned char, 4, 12, 4, 8, pack<unsigned char, 2>, 2>(5, 5, {1, 1});
}

TEST_CASE_TEMPLATE("copy_async: lines", B, DOLMEN_TEST_BACKENDS) {
  check_lines<B, float, 70, 65, float, 1>(200, 1);
  check_lines<B, float, 64, 64, float, 1>(20, 0);
  check_lines<B, unsigned char, 33, 33, unsigned char, 1>(100, 3);
  check_lines<B, half, 48, 40, pack<half, 8>, 8>(9, 1);
  check_lines<B, double, 40, 36, pack<double, 2>, 2>(40, 1);
}

TEST_CASE_TEMPLATE("copy_async: a view of nothing gives zeros", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<float, B, 2> out(s, {{5, 8}});
  std::vector<float> expected(40, -1.0f);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x) expected[std::size_t(8 * y + x)] = 0;
  launch(s, grid(1), box<float, 5, 8, 4, 8, float>{{}, out.view(), -1, 0, 0});
  CHECK(out.values() == expected);
  launch(s, grid(1), box<float, 5, 8, 4, 8, pack<float, 4>>{{}, out.view(), -1, -4, 4});
  CHECK(out.values() == expected);
  view<float const, 2> const no_columns(nullptr, 100, 0), no_rows(nullptr, 0, 100);
  for (auto const& v : {no_columns, no_rows}) {
    launch(s, grid(1), box<float, 5, 8, 4, 8, float>{v, out.view(), -1, 3, 0});
    CHECK(out.values() == expected);
  }
  guarded<float, B> line_out(s, 20);
  launch(s, grid(1), line<float, 20, 20, float>{{}, line_out.view(), -1, 0});
  CHECK(line_out.values() == std::vector<float>(20, 0.0f));
}
