#include <algorithm>
#include <cmath>

#include "rows.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace {

constexpr boundary rules[] = {boundary::copy, boundary::zero, boundary::periodic, boundary::reflect};

/// A box of weights in no symmetry, of which every so many is not 0.
template <int Rank>
std::vector<double> random_box(array<int, Rank> radius, std::uint64_t seed, int keep_every = 1) {
  index_t size = 1;
  for (int d = 0; d < Rank; ++d) size *= 2 * radius[d] + 1;
  auto box = testing::random_values<double>(size, seed);
  for (std::size_t i = 0; i < box.size(); ++i)
    if (i % std::size_t(keep_every) != 0) box[i] = 0;
  return box;
}

index_t element_for(index_t i, index_t n, boundary rule) {
  if (rule == boundary::periodic) {
    while (i < 0) i += n;
    return i % n;
  }
  while (rule == boundary::reflect && (i < 0 || i >= n)) i = n == 1 ? 0 : i < 0 ? -i : 2 * (n - 1) - i;
  return i >= 0 && i < n ? i : -1;
}

struct grid_of {
  extents<3> shape;
  int radius[3];
  std::vector<double> box;
  boundary rule;
};

/// One step, with the sums of magnitudes.
std::vector<double> reference(std::vector<double> const& in, grid_of const& g, std::vector<double>& magnitude) {
  auto const& n = g.shape;
  std::vector<double> out(in.size());
  magnitude.assign(in.size(), 0);
  std::size_t at = 0;
  for (index_t z = 0; z < n[0]; ++z)
    for (index_t y = 0; y < n[1]; ++y)
      for (index_t x = 0; x < n[2]; ++x, ++at) {
        double sum = 0;
        bool edge = false;
        std::size_t k = 0;
        for (int dz = -g.radius[0]; dz <= g.radius[0]; ++dz)
          for (int dy = -g.radius[1]; dy <= g.radius[1]; ++dy)
            for (int dx = -g.radius[2]; dx <= g.radius[2]; ++dx, ++k) {
              index_t const i[3] = {z + dz, y + dy, x + dx};
              for (int d = 0; d < 3; ++d) edge = edge || (g.box[k] != 0 && (i[d] < 0 || i[d] >= n[d]));
              index_t const zk = element_for(i[0], n[0], g.rule), yk = element_for(i[1], n[1], g.rule),
                            xk = element_for(i[2], n[2], g.rule);
              if (g.box[k] == 0 || zk < 0 || yk < 0 || xk < 0) continue;
              double const product = g.box[k] * in[std::size_t((zk * n[1] + yk) * n[2] + xk)];
              sum += product;
              magnitude[at] += std::fabs(product);
            }
        out[at] = edge && g.rule == boundary::copy ? in[at] : sum;
      }
  return out;
}

template <class T, class B, int Rank>
std::vector<T> check_grid(typename B::stream const& s, extents<Rank> shape, array<int, Rank> radius, std::vector<double> const& box,
                          boundary rule, place from, place to, index_t steps = 1) {
  CAPTURE(shape[Rank - 2]);
  CAPTURE(shape[Rank - 1]);
  CAPTURE(radius[Rank - 1]);
  CAPTURE(int(rule));
  CAPTURE(from.offset);
  CAPTURE(to.offset);
  CAPTURE(steps);
  auto const values = testing::spread_values<T>(shape.volume(), 1);
  guarded<T, B, Rank> in(s, shape, values, from);
  guarded<T, B, Rank> out(s, shape, to);
  stencil(s, in.const_view(), out.view(), stencil_weights<Rank>(radius, box), rule, steps);
  grid_of g{{{1, shape[Rank - 2], shape[Rank - 1]}}, {0, radius[Rank - 2], radius[Rank - 1]}, box, rule};
  if constexpr (Rank == 3) g.shape[0] = shape[0], g.radius[0] = radius[0];
  std::vector<double> expected, magnitude, error(values.size(), testing::least<T>);
  for (T v : values) expected.push_back(double(v));
  double weight = 0;
  for (double w : box) weight += std::fabs(w);
  double growing = 0;
  for (index_t step = 0; step < steps; ++step) {
    expected = reference(expected, g, magnitude);
    // What was wrong before is weighted, and may be kept.
    growing *= std::max(1.0, weight);
    double largest = 0;
    for (std::size_t i = 0; i < error.size(); ++i) largest = std::max(largest, magnitude[i]);
    growing += largest * (double(box.size() + 2) * testing::roundoff<testing::computed_in<T>> + testing::roundoff<T>)+testing::least<T>;
    for (std::size_t i = 0; i < error.size(); ++i)
      error[i] = steps == 1 ? magnitude[i] * (double(box.size() + 2) * testing::roundoff<testing::computed_in<T>> +
                                              testing::roundoff<T>)+testing::least<T>
                            : growing;
  }
  auto const got = out.values();
  CHECK(testing::worst_error(got.data(), expected, error) <= 1);
  CHECK(out.intact());
  CHECK(in.unchanged());
  return got;
}

constexpr place places[] = {{0, 0}, {16, 32}, {1, 3}, {0, 1}, {3, 0, true}};

/// Boxes that have bodies of their own, and others.
template <class T, class B>
void check_planes(typename B::stream const& s) {
  auto const star = std::vector<double>{0, 0.5, 0, 0.25, -1.5, 0.75, 0, 0.125, 0};
  int turn = 0;
  for (extents<2> shape :
       {extents<2>{{1, 1}}, {{2, 3}}, {{1, 40}}, {{40, 1}}, {{33, 31}}, {{64, 256}}, {{70, 129}}, {{9, 1030}}, {{130, 500}}})
    for (auto rule : rules) {
      int const all = testing::full_products() ? 5 : 1;  // each place; with every other one over the rules and shapes
      for (int k = 0; k < all; ++k, ++turn) {
        auto const from = places[turn % 5], to = places[turn * 3 / 5 % 5];
        check_grid<T, B, 2>(s, shape, {{1, 1}}, star, rule, from, to);
        check_grid<T, B, 2>(s, shape, {{1, 1}}, random_box<2>({{1, 1}}, 3), rule, from, to);
        check_grid<T, B, 2>(s, shape, {{2, 3}}, random_box<2>({{2, 3}}, 4, 1 + turn % 3), rule, from, to);
        if (turn % 3 == 0) check_grid<T, B, 2>(s, shape, {{8, 8}}, random_box<2>({{8, 8}}, 5), rule, from, to);
        if (turn % 3 == 1) check_grid<T, B, 2>(s, shape, {{0, 5}}, random_box<2>({{0, 5}}, 6), rule, from, to);
      }
    }
}

template <class T, class B>
void check_spaces(typename B::stream const& s) {
  std::vector<double> star(27, 0);
  for (std::size_t i : {4, 10, 12, 13, 14, 16, 22}) star[i] = 0.125 * double(i) - 1.4;
  int turn = 0;
  for (extents<3> shape : {extents<3>{{1, 1, 1}}, {{2, 3, 4}}, {{1, 20, 33}}, {{12, 9, 130}}, {{9, 17, 40}}, {{70, 3, 5}}})
    for (auto rule : rules) {
      auto const from = places[turn % 5], to = places[turn * 3 / 5 % 5];
      ++turn;
      check_grid<T, B, 3>(s, shape, {{1, 1, 1}}, star, rule, from, to);
      check_grid<T, B, 3>(s, shape, {{1, 1, 1}}, random_box<3>({{1, 1, 1}}, 3), rule, from, to);
      check_grid<T, B, 3>(s, shape, {{1, 2, 0}}, random_box<3>({{1, 2, 0}}, 4, 1 + turn % 2), rule, from, to);
      check_grid<T, B, 3>(s, shape, {{0, 1, 1}}, random_box<3>({{0, 1, 1}}, 6), rule, from, to);
      if (turn % 4 == 0) check_grid<T, B, 3>(s, shape, {{8, 1, 2}}, random_box<3>({{8, 1, 2}}, 5), rule, from, to);
    }
}

/// A few weights, most of them to one side of the element, in a box that may be much wider than they need.
template <int Rank>
std::vector<double> sparse_box(array<int, Rank> radius, std::uint64_t seed, int count) {
  index_t size = 1;
  for (int d = 0; d < Rank; ++d) size *= 2 * radius[d] + 1;
  std::vector<double> box(std::size_t(size), 0);
  for (int k = 0; k < count; ++k) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    box[std::size_t((seed >> 33) % std::uint64_t(size))] = 0.25 * double(k + 1) * (k % 2 ? 1 : -1);
  }
  return box;
}

/// The same weights in the middle of a wider box.
template <int Rank>
std::vector<double> in_wider_box(std::vector<double> const& box, array<int, Rank> from, array<int, Rank> to) {
  int inner[3] = {0, 0, 0}, outer[3] = {0, 0, 0};
  for (int d = 0; d < Rank; ++d) inner[3 - Rank + d] = from[d], outer[3 - Rank + d] = to[d];
  std::vector<double> wide;
  std::size_t next = 0;
  for (int z = -outer[0]; z <= outer[0]; ++z)
    for (int y = -outer[1]; y <= outer[1]; ++y)
      for (int x = -outer[2]; x <= outer[2]; ++x) {
        bool const inside = std::abs(z) <= inner[0] && std::abs(y) <= inner[1] && std::abs(x) <= inner[2];
        wide.push_back(inside ? box[next++] : 0);
      }
  return wide;
}

/// The width of the box makes no difference.
template <class T, class B, int Rank>
void check_wider(typename B::stream const& s, extents<Rank> shape, array<int, Rank> radius, std::vector<double> const& box,
                 array<int, Rank> wider) {
  for (auto rule : rules) {
    auto const tight = check_grid<T, B, Rank>(s, shape, radius, box, rule, {0, 0}, {16, 32});
    auto const wide = check_grid<T, B, Rank>(s, shape, wider, in_wider_box<Rank>(box, radius, wider), rule, {0, 0}, {16, 32});
    CHECK(testing::same_bits(tight, wide));
  }
}

template <class T, class B>
void check_sparse(typename B::stream const& s) {
  int turn = 0;
  for (int ry = 0; ry <= 8; ++ry)
    for (int rx = 0; rx <= 8; ++rx)
      for (auto rule : rules) {
        ++turn;
        extents<2> const shape = turn % 3 == 0 ? extents<2>{{4, 6}} : turn % 3 == 1 ? extents<2>{{11, 70}} : extents<2>{{18, 9}};
        check_grid<T, B, 2>(s, shape, {{ry, rx}}, sparse_box<2>({{ry, rx}}, std::uint64_t(turn), 1 + turn % 4), rule, places[turn % 5],
                            places[turn * 3 / 5 % 5]);
      }
  for (int side = 0; side <= 8; ++side)
    for (auto radius : {array<int, 3>{{0, 0, side}}, {{0, side, 1}}, {{side, 0, 0}}, {{side, 1, 2}}, {{1, side, 8}}})
      for (auto rule : rules) {
        ++turn;
        extents<3> const shape = turn % 3 == 0 ? extents<3>{{1, 1, 40}} : turn % 3 == 1 ? extents<3>{{3, 5, 17}} : extents<3>{{10, 4, 6}};
        check_grid<T, B, 3>(s, shape, radius, sparse_box<3>(radius, std::uint64_t(turn), 1 + turn % 5), rule, places[turn % 5],
                            places[turn * 3 / 5 % 5]);
      }
}

/// Rows of whole words on both sides, which few of the places above have; the bits are the same wherever views lie.
template <class T, class B, int Rank>
void check_words(typename B::stream const& s, extents<Rank> shape, std::vector<double> const& box, int side = 1) {
  array<int, Rank> radius{};
  for (int d = 0; d < Rank; ++d) radius[d] = side;
  for (auto rule : rules) {
    auto const words = check_grid<T, B, Rank>(s, shape, radius, box, rule, {0, 0}, {16, 32});
    for (auto const& [from, to] : {std::pair<place, place>{{1, 3}, {16, 0}}, {{0, 32}, {0, 1}}})
      CHECK(testing::same_bits(words, check_grid<T, B, Rank>(s, shape, radius, box, rule, from, to)));
  }
}
template <class T, class B>
void check_words(typename B::stream const& s) {
  std::vector<double> cross{0, 0.5, 0, 0.25, -1.5, 0.75, 0, 0.125, 0}, star(27, 0);
  for (std::size_t i : {4, 10, 12, 13, 14, 16, 22}) star[i] = 0.125 * double(i) - 1.4;
  for (extents<2> shape : {extents<2>{{21, 256}}, {{36, 264}}}) {
    check_words<T, B, 2>(s, shape, cross);
    check_words<T, B, 2>(s, shape, random_box<2>({{1, 1}}, 3));
  }
  for (int side : {2, 3, 4}) check_words<T, B, 2>(s, {{23, 520}}, random_box<2>({{side, side}}, 7), side);
  for (extents<3> shape : {extents<3>{{6, 10, 264}}, {{5, 9, 256}}}) {
    check_words<T, B, 3>(s, shape, star);
    check_words<T, B, 3>(s, shape, random_box<3>({{1, 1, 1}}, 3));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("stencil: planes of float and double", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_planes<float, B>(s);
  check_planes<double, B>(s);
}
TEST_CASE_TEMPLATE("stencil: planes of half and bfloat16", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_planes<half, B>(s);
  check_planes<bfloat16, B>(s);
}
TEST_CASE_TEMPLATE("stencil: spaces", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_spaces<float, B>(s);
  check_spaces<double, B>(s);
  check_spaces<half, B>(s);
}

TEST_CASE_TEMPLATE("stencil: few weights in wide boxes", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_sparse<float, B>(s);
  check_sparse<double, B>(s);
  check_sparse<half, B>(s);
  check_sparse<bfloat16, B>(s);
}

TEST_CASE_TEMPLATE("stencil: the width of the box makes no difference", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  std::vector<double> const cross{0, 0.5, 0, 0.25, -1.5, 0.75, 0, 0.125, 0};
  check_wider<float, B, 2>(s, {{21, 264}}, {{1, 1}}, cross, {{2, 3}});
  check_wider<float, B, 2>(s, {{21, 264}}, {{1, 1}}, random_box<2>({{1, 1}}, 3), {{8, 1}});
  check_wider<float, B, 2>(s, {{23, 520}}, {{2, 2}}, random_box<2>({{2, 2}}, 7), {{2, 8}});
  check_wider<half, B, 2>(s, {{21, 264}}, {{1, 1}}, cross, {{8, 8}});
  std::vector<double> star(27, 0);
  for (std::size_t i : {4, 10, 12, 13, 14, 16, 22}) star[i] = 0.125 * double(i) - 1.4;
  check_wider<double, B, 3>(s, {{6, 10, 40}}, {{1, 1, 1}}, star, {{2, 1, 1}});
  check_wider<float, B, 3>(s, {{6, 10, 40}}, {{1, 1, 1}}, random_box<3>({{1, 1, 1}}, 3), {{1, 4, 2}});
  check_wider<float, B, 3>(s, {{1, 10, 40}}, {{0, 1, 1}}, cross, {{1, 1, 1}});
}

TEST_CASE_TEMPLATE("stencil: elements whose neighbours all lie in the grid are computed", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  std::vector<float> row{2, 3, -1, 5, 7, 11}, expected{2, 13, -22, 0, -10, 11}, values, result;
  for (int y = 0; y < 4; ++y) {
    values.insert(values.end(), row.begin(), row.end());
    result.insert(result.end(), expected.begin(), expected.end());
  }
  buffer<float, B> out(s, 24);
  std::vector<double> const ahead{0, 0, 0, -1, 4, -3, 0, 0, 0};
  stencil(s, upload(s, values).view(4, 6), out.view(4, 6), stencil_weights<2>({{1, 1}}, ahead), boundary::copy);
  CHECK(download(s, out) == result);
  // None at all: nothing keeps its value.
  stencil(s, upload(s, values).view(4, 6), out.view(4, 6), stencil_weights<2>({{8, 8}}, std::vector<double>(289, -0.0)), boundary::copy);
  CHECK(download(s, out) == std::vector<float>(24, 0));
}

TEST_CASE_TEMPLATE("stencil: rows of whole words", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_words<float, B>(s);
  check_words<double, B>(s);
  check_words<half, B>(s);
}

TEST_CASE_TEMPLATE("stencil: several steps", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const mean = std::vector<double>{0, 0.25, 0, 0.25, 0.1, 0.25, 0, 0.25, 0};
  for (index_t steps : {0, 2, 3, 6})
    for (auto rule : rules) {
      check_grid<float, B, 2>(s, {{37, 70}}, {{1, 1}}, mean, rule, {1, 3}, {0, 0}, steps);
      check_grid<double, B, 3>(s, {{5, 6, 20}}, {{1, 1, 1}}, random_box<3>({{1, 1, 1}}, 7), rule, {0, 0}, {2, 1}, steps);
    }
}

TEST_CASE_TEMPLATE("stencil: named weights", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  std::vector<float> one(25, 0);
  one[12] = 1;
  auto const in = upload(s, one);
  buffer<float, B> out(s, 25);
  stencil(s, in.view(5, 5), out.view(5, 5), stencil_weights<2>::star(4, -1), boundary::zero);
  CHECK(download(s, out) == std::vector<float>{0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, -1, 4, -1, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0});
  stencil(s, in.view(5, 5), out.view(5, 5), stencil_weights<2>::box(4, 2, 1), boundary::zero);
  CHECK(download(s, out) == std::vector<float>{0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 0, 2, 4, 2, 0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0});
  std::vector<float> cube(27, 1), expected(27, 0);
  expected[13] = 8 + 6 * 4 + 12 * 2 + 8;
  buffer<float, B> space(s, 27);
  stencil(s, upload(s, cube).view(3, 3, 3), space.view(3, 3, 3), stencil_weights<3>::box(8, 4, 2, 1), boundary::zero);
  CHECK(download(s, space)[13] == expected[13]);
}

TEST_CASE_TEMPLATE("stencil: what has no weight is not read", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  std::vector<float> values(35, 1);
  values[17] = testing::quiet_nan<float>;  // row 2, column 3
  buffer<float, B> out(s, 35);
  stencil(s, upload(s, values).view(5, 7), out.view(5, 7), stencil_weights<2>::star(1, 1), boundary::periodic);
  auto const got = download(s, out);
  for (std::size_t i = 0; i < 35; ++i) {
    bool const near = i == 17 || i == 16 || i == 18 || i == 10 || i == 24;
    CHECK(std::isnan(got[i]) == near);
    if (!near) CHECK(got[i] == 5);
  }
}

TEST_CASE_TEMPLATE("convolve: turns the filter around", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  std::vector<double> const filter{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};  // 3 x 5
  std::vector<float> one(63, 0);
  one[4 * 9 + 4] = 1;
  buffer<float, B> out(s, 63);
  convolve(s, upload(s, one).view(7, 9), filter, 3, 5, out.view(7, 9), boundary::zero);
  auto const got = download(s, out);
  for (index_t y = 0; y < 7; ++y)
    for (index_t x = 0; x < 9; ++x) {
      bool const inside = y >= 3 && y <= 5 && x >= 2 && x <= 6;
      CHECK(got[std::size_t(y * 9 + x)] == (inside ? float(filter[std::size_t((y - 3) * 5 + x - 2)]) : 0.0f));
    }
  CHECK(complaint<invalid_argument>({"convolve", "4 x 5"}, [&] {
          convolve(s, out.view(7, 9), std::vector<double>(20, 1.0), 4, 5, buffer<float, B>(s, 63).view(7, 9), boundary::zero);
        }) == "");
  CHECK(complaint<invalid_argument>({"convolve", "3 x 5", "14"}, [&] {
          convolve(s, out.view(7, 9), std::vector<double>(14, 1.0), 3, 5, buffer<float, B>(s, 63).view(7, 9), boundary::zero);
        }) == "");
}

TEST_CASE_TEMPLATE("stencil: nothing, and what does not fit", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const star = stencil_weights<2>::star(1, 1);
  stencil(s, view<float const, 2>(nullptr, 0, 5), view<float, 2>(nullptr, 0, 5), star, boundary::zero);
  stencil(s, view<float const, 2>(nullptr, 5, 0), view<float, 2>(nullptr, 5, 0), star, boundary::reflect, 3);
  buffer<float, B> a(s, 60), b(s, 60);
  fill(s, a, 1.0f);
  CHECK(complaint<invalid_argument>({"stencil", "6 x 10", "10 x 6"},
                                    [&] { stencil(s, a.view(6, 10), b.view(10, 6), star, boundary::zero); }) == "");
  CHECK(complaint<invalid_argument>({"stencil", "overlap"}, [&] { stencil(s, a.view(6, 10), a.view(6, 10), star, boundary::zero); }) == "");
  CHECK(complaint<invalid_argument>({"stencil", "-2 steps"}, [&] { stencil(s, a.view(6, 10), b.view(6, 10), star, boundary::zero, -2); }) ==
        "");
  CHECK(complaint<invalid_argument>({"radius 1", "9"}, [&] { stencil_weights<2>({{1, 9}}, std::vector<double>(57, 1.0)); }) == "");
  CHECK(complaint<invalid_argument>({"15", "14 weights"}, [&] { stencil_weights<2>({{1, 2}}, std::vector<double>(14, 1.0)); }) == "");
  CHECK(complaint<invalid_argument>({"343"}, [&] { stencil_weights<3>({{3, 3, 4}}, std::vector<double>(441, 1.0)); }) == "");
}
