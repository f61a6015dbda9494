// Reductions along rows and columns, of matrices and batches.
#include <cmath>

#include "reduce_support.hpp"

#include "../support/child.hpp"

using namespace dolmen;
using namespace testing::reductions;
using testing::complaint;
using testing::guarded;

namespace {

/// Row (or column) number k of matrix p, of values in row-major order.
template <class T>
std::vector<T> line(std::vector<T> const& values, extents<3> shape, bool rows, index_t p, index_t k) {
  std::vector<T> result;
  for (index_t i = 0; i < (rows ? shape[2] : shape[1]); ++i)
    result.push_back(values[std::size_t(rows ? (p * shape[1] + k) * shape[2] + i : (p * shape[1] + i) * shape[2] + k)]);
  return result;
}

/// Short and long, more and fewer than blocks and warps hold.
std::vector<extents<2>> shapes() {
  std::vector<extents<2>> all;
  std::vector<index_t> lengths{1, 2, 3, 7, 16, 31, 33, 64, 100, 127, 128, 129, 257, 1000, 1025, 4097};
  if (testing::small_sizes()) lengths = {1, 3, 16, 33, 128, 129, 257, 1025};
  for (index_t r : lengths)
    for (index_t c : lengths)
      if (r * c <= testing::size_of(70000, 5000) && (testing::full_products() || (r + c) % 3 != 0 || r == 1 || c == 1))
        all.push_back({{r, c}});
  if (!testing::small_sizes())
    for (extents<2> s : {extents<2>{{2, 300001}}, {{300001, 2}}, {{1, 1000003}}, {{1000003, 1}}, {{20011, 130}}, {{90000, 5}}})
      all.push_back(s);
  return all;
}

template <class T, class B>
void check_sums(typename B::stream const& s, extents<3> shape, testing::place where) {
  using wide_type = sum_t<T>;
  auto const values = spread_values<T>(shape.volume(), 3);
  guarded<T, B, 3> in(s, shape, values, where);
  for (bool rows : {true, false}) {
    index_t const lines = rows ? shape[1] : shape[2];
    guarded<wide_type, B, 2> out(s, {{shape[0], lines}}, testing::place{1, 2});
    if (rows)
      reduce_rows(s, in.const_view(), out.view());
    else
      reduce_columns(s, in.const_view(), out.view());
    auto const got = out.values();
    for (index_t p = 0; p < shape[0]; ++p)
      for (index_t k = 0; k < lines; ++k) {
        auto const one = line(values, shape, rows, p, k);
        auto const sum = got[std::size_t(p * lines + k)];
        if constexpr (std::is_integral_v<T>)
          REQUIRE(sum == sum_of<wide_type>(one));
        else
          REQUIRE(std::fabs(double(sum) - double(sum_of<long double>(one))) <=
                  sum_bound<wide_type>(index_t(one.size()), magnitude_of(one)));
      }
    REQUIRE(out.intact());
  }
  REQUIRE(in.unchanged());
}

template <class T, class B>
void check_extremes(typename B::stream const& s, extents<2> shape, testing::place where) {
  auto values = shape.volume() % 2 ? few_values<T>(shape.volume(), 4) : spread_values<T>(shape.volume(), 4);
  if constexpr (is_float<T>)
    for (index_t i = 5; i < shape.volume(); i += 1 + shape.volume() / 3) values[std::size_t(i)] = static_cast<T>(testing::quiet_nan<float>);
  guarded<T, B, 2> in(s, shape, values, where);
  extents<3> const full{{1, shape[0], shape[1]}};
  guarded<T, B> low(s, shape[0]), high(s, shape[1], {1});
  guarded<index_t, B> first(s, shape[0]), last(s, shape[0]);
  reduce_rows(s, in.const_view(), low.view(), minimum{});
  reduce_columns(s, in.const_view(), high.view(), maximum{});
  argmin_rows(s, in.const_view(), first.view());
  argmax_rows(s, in.const_view(), last.view());
  auto const l = low.values(), h = high.values();
  auto const f = first.values(), g = last.values();
  for (index_t r = 0; r < shape[0]; ++r) {
    auto const row = line(values, full, true, 0, r);
    REQUIRE(same(l[std::size_t(r)], least(row)));
    REQUIRE(f[std::size_t(r)] == place_of_least(row));
    REQUIRE(g[std::size_t(r)] == place_of_greatest(row));
  }
  for (index_t c = 0; c < shape[1]; ++c) REQUIRE(same(h[std::size_t(c)], greatest(line(values, full, false, 0, c))));
  REQUIRE(low.intact());
  REQUIRE(high.intact());
  REQUIRE(first.intact());
  REQUIRE(in.unchanged());
}

}  // namespace

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: sums of every shape", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  int turn = 0;
  for (auto shape : shapes()) {
    CAPTURE(shape);
    extents<3> const full{{1, shape[0], shape[1]}};
    testing::place const where[] = {{}, {1, 3}, {0, 1, true}, {4, 8}};
    for (int k = 0; k < (testing::full_products() ? 4 : 1); ++k) {
      check_sums<float, B>(s, full, where[++turn % 4]);
      check_sums<std::int8_t, B>(s, full, where[turn % 4]);
      check_sums<half, B>(s, full, where[turn % 4]);
    }
  }
}

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: every type", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_number([&]<class T>() {
    for (extents<3> shape : {extents<3>{{1, 33, 40}}, {{3, 7, 130}}, {{2, 300, 16}}, {{4, 2, 1500}}}) check_sums<T, B>(s, shape, {0, 0});
    check_sums<T, B>(s, {{3, 37, 21}}, {1, 3, true});
    for (extents<2> shape : {extents<2>{{33, 40}}, {{7, 130}}, {{300, 16}}, {{2, 1501}}, {{1, 9000}}})
      check_extremes<T, B>(s, shape, {1, 1});
  });
}

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: planes with gaps, whose lines several threads share", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const few = testing::size_of(1, 10);
  for (extents<3> shape : {extents<3>{{3, 5003 / few, 37}}, {{5, 301 / few, 700}}, {{3, 2, 70001 / few}}, {{2, 9, 90001 / (10 * few)}}})
    for (testing::place where : {testing::place{1, 3}, {0, 16, true}}) {
      CAPTURE(shape[1]);
      check_sums<std::int32_t, B>(s, shape, where);
      check_sums<float, B>(s, shape, where);
      auto const values = spread_values<std::int16_t>(shape.volume(), 6);
      guarded<std::int16_t, B, 3> in(s, shape, values, where);
      guarded<std::int16_t, B, 2> greatest_of(s, {{shape[0], shape[1]}}, testing::place{1, 2});
      guarded<index_t, B, 2> first(s, {{shape[0], shape[1]}}, testing::place{0, 1});
      reduce_rows(s, in.const_view(), greatest_of.view(), maximum{});
      argmin_rows(s, in.const_view(), first.view());
      auto const high = greatest_of.values();
      auto const at = first.values();
      for (index_t p = 0; p < shape[0]; ++p)
        for (index_t k = 0; k < shape[1]; ++k) {
          auto const row = line(values, shape, true, p, k);
          REQUIRE(high[std::size_t(p * shape[1] + k)] == greatest(row));
          REQUIRE(at[std::size_t(p * shape[1] + k)] == place_of_least(row));
        }
      CHECK(greatest_of.intact());
      CHECK(first.intact());
    }
}

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: extremes and their places, with NaN", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (auto shape : shapes()) {
    CAPTURE(shape);
    check_extremes<float, B>(s, shape, {});
    if (shape.volume() < 5000) check_extremes<std::int16_t, B>(s, shape, {1, 2});
  }
}

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: other results, products, initial values", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const in = upload(s, std::vector<float>{1, 2, 3, 4, 5, 6});
  buffer<double, B> rows(s, 2), columns(s, 3);
  reduce_rows(s, in.view(2, 3), rows, multiplies{}, 0.5);
  reduce_columns(s, in.view(2, 3), columns, plus{});
  CHECK(download(s, rows) == std::vector<double>{3, 60});
  CHECK(download(s, columns) == std::vector<double>{5, 7, 9});
  buffer<float, B> low(s, 3);
  reduce_columns(s, in.view(2, 3), low, minimum{}, 2.5f);
  CHECK(download(s, low) == std::vector<float>{1, 2, 2.5});
}

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<float, B> out(s, 5);
  reduce_rows(s, view<float const, 2>(nullptr, 5, 0), out.view());
  CHECK(out.values() == std::vector<float>(5, 0));
  reduce_columns(s, view<float const, 2>(nullptr, 0, 5), out.view(), minimum{});
  CHECK(out.values() == std::vector<float>(5, std::numeric_limits<float>::infinity()));
  reduce_columns(s, view<float const, 2>(nullptr, 0, 5), out.view(), multiplies{});
  CHECK(out.values() == std::vector<float>(5, 1));
  CHECK(out.intact());
  guarded<index_t, B> places(s, 5);
  reduce_rows(s, view<float const, 2>(nullptr, 0, 5), out.view().slice(0, 0));
  reduce_columns(s, view<float const, 3>(nullptr, 3, 5, 0), view<float, 2>(nullptr, 3, 0));
  argmin_rows(s, view<float const, 2>(nullptr, 0, 0), places.view().slice(0, 0));
  CHECK(places.unchanged());
  CHECK(complaint<invalid_argument>({"argmin_rows", "no element", "5 x 0"},
                                    [&] { argmin_rows(s, view<float const, 2>(nullptr, 5, 0), places.view()); }) == "");
}

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: shapes that do not fit", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> in(s, 24), out(s, 24);
  fill(s, in, 1.0f);
  CHECK(complaint<invalid_argument>({"reduce_rows", "4 x 6", "4", "5"}, [&] { reduce_rows(s, in.view(4, 6), out.view().slice(0, 5)); }) ==
        "");
  CHECK(complaint<invalid_argument>({"reduce_columns", "4 x 6", "4"}, [&] { reduce_columns(s, in.view(4, 6), out.view().slice(0, 4)); }) ==
        "");
  CHECK(complaint<invalid_argument>({"reduce_columns", "2 x 3 x 4", "2 x 4", "2 x 3"},
                                    [&] { reduce_columns(s, in.view(2, 3, 4), out.view(2, 3)); }) == "");
}

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: more lines than a grid is high", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const many = testing::size_of(70001, 7001);
  buffer<std::int8_t, B> in(s, many * 3);
  buffer<std::int64_t, B> out(s, many);
  fill(s, in, std::int8_t(-3));
  reduce_rows(s, in.view(many, 3), out);
  CHECK(minmax_of(s, out) == min_max<std::int64_t>{-9, -9});
  reduce_columns(s, in.view(3, many), out);
  CHECK(minmax_of(s, out) == min_max<std::int64_t>{-9, -9});
  reduce_columns(s, in.view(many, 3, 1), out.view(many, 1));
  CHECK(minmax_of(s, out) == min_max<std::int64_t>{-9, -9});
}

DOLMEN_TEST_CHILD(prints_line_sums) {
#if DOLMEN_HAS_CPU
  dolmen::cpu::stream s;
  std::cout << std::hexfloat;
  for (extents<2> shape : {extents<2>{{3, 300001}}, {{300001, 3}}, {{1000, 1001}}}) {
    auto const in = upload(s, testing::random_values<float>(shape.volume()));
    buffer<float, cpu::backend> rows(s, shape[0]), columns(s, shape[1]);
    reduce_rows(s, in.view(shape[0], shape[1]), rows);
    reduce_columns(s, in.view(shape[0], shape[1]), columns);
    std::cout << sum(s, rows) << ' ' << sum(s, columns) << ' ' << download(s, columns)[1] << ' ';
  }
  std::cout << '\n';
#endif
}

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: bit-identical whatever the number of threads", B, dolmen::cpu::backend) {
  auto const one = testing::run_child("prints_line_sums", {{"OMP_NUM_THREADS", "1"}});
  CHECK(one.status == 0);
  CHECK(one.output.size() > 20);
  for (std::string const threads : {"2", "3", "7"}) {
    CAPTURE(threads);
    CHECK(testing::run_child("prints_line_sums", {{"OMP_NUM_THREADS", threads}}).output == one.output);
  }
}
#endif
