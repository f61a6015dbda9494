// reduce by the library's own operators: sums, products, identities, initial values, errors.
#include <cmath>

#include "reduce_support.hpp"

#include "../support/child.hpp"

using namespace dolmen;
using namespace testing::reductions;
using testing::complaint;
using testing::guarded;

TEST_CASE_TEMPLATE("reduce: integers wrap in 64 bits", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_integer([&]<class T>() {
    using wide = sum_t<T>;
    CAPTURE(sizeof(T));
    for (index_t n : lengths<T>())
      for (auto where : places(n)) {
        CAPTURE(n);
        auto values = spread_values<T>(n, std::uint64_t(n) + 1);
        guarded<T, B> in(s, values, where);
        REQUIRE(reduce(s, in.const_view()) == sum_of<wide>(values));
        REQUIRE(in.unchanged());
        std::uint64_t expected = 1;
        for (auto& v : values) {
          v = static_cast<T>(v | 1);  // odd: the product is not 0
          expected *= std::uint64_t(wide(v));
        }
        in.set(values);
        guarded<wide, B> out(s, 1);
        product(s, in.const_view(), out.view());
        REQUIRE(out.values()[0] == wide(expected));
        REQUIRE(out.intact());
      }
  });
  CHECK(product(s, upload(s, std::vector<std::int32_t>{1 << 30, 8})) == std::int64_t(1) << 33);
  CHECK(product(s, upload(s, std::vector<std::int8_t>{-100, 100})) == -10000);
}

TEST_CASE_TEMPLATE("reduce: floats within a bound that grows with log n", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_float([&]<class T>() {
    using wide = sum_t<T>;
    for (index_t n : lengths<T>())
      for (auto where : places(n)) {
        CAPTURE(n);
        auto const values = spread_values<T>(n, std::uint64_t(n) + 1);
        guarded<T, B> in(s, values, where);
        guarded<wide, B> out(s, 1);
        sum(s, in.const_view(), out.view());
        REQUIRE(std::fabs(double(out.values()[0]) - double(sum_of<long double>(values))) <= sum_bound<wide>(n, magnitude_of(values)));
        REQUIRE(out.intact());
        REQUIRE(in.unchanged());
      }
  });
}

TEST_CASE_TEMPLATE("reduce: products of floats", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_float([&]<class T>() {
    for (index_t n : {0, 1, 2, 33, 257, 4097}) {
      std::vector<T> values;  // powers of two: exact, whatever the order
      for (index_t i = 0; i < n; ++i) values.push_back(static_cast<T>(i % 5 == 1 ? 2.0f : i % 5 == 3 ? -0.5f : 1.0f));
      double expected = 1;
      for (T v : values) expected *= double(wide(v));
      CHECK(double(product(s, upload(s, values))) == expected);
    }
  });
  CHECK(product<double>(s, upload(s, std::vector<float>(4, 1e30f))) == std::pow(double(1e30f), 4));
  CHECK(product(s, upload(s, std::vector<half>(4, half(1000.0f)))) == 1e12f);  // more than a half holds
}

TEST_CASE_TEMPLATE("reduce: halves are added in float", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  CHECK(sum(s, upload(s, std::vector<half>(70000, half(1.0f)))) == 70000.0f);
  CHECK(sum(s, upload(s, std::vector<bfloat16>(1000, bfloat16(1.0f)))) == 1000.0f);
  CHECK(sum(s, upload(s, std::vector<half>{half::from_bits(0x0001), half::from_bits(0x8003)})) == -0x1p-23f);  // subnormal
}

TEST_CASE_TEMPLATE("reduce: of nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  {
    buffer<float, B> dirty(s, 1 << 16);
    fill(s, dirty, testing::quiet_nan<float>);
  }
  each_integer([&]<class T>() {
    using limits = std::numeric_limits<T>;
    buffer<T, B> none(s, 0);
    CHECK(reduce(s, none) == 0);
    CHECK(reduce(s, none, multiplies{}) == 1);
    CHECK(min_of(s, none) == limits::max());
    CHECK(max_of(s, none) == limits::lowest());
    CHECK(minmax_of(s, none) == min_max<T>{limits::max(), limits::lowest()});
    CHECK(reduce(s, none, minimum{}, T(5)) == T(5));
  });
  each_float([&]<class T>() {
    T const infinity = static_cast<T>(std::numeric_limits<float>::infinity());
    guarded<T, B> out(s, 1);
    min_of(s, view<T const, 2>(nullptr, 0, 5), out.view());
    CHECK(same(out.values()[0], infinity));
    max_of(s, view<T const, 3>(nullptr, 3, 5, 0), out.view());
    CHECK(same(out.values()[0], static_cast<T>(-wide(infinity))));
    CHECK(out.intact());
    CHECK(same(minmax_of(s, view<T const>()), min_max<T>{infinity, static_cast<T>(-wide(infinity))}));
  });
}

TEST_CASE_TEMPLATE("reduce: an initial value", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const ints = upload(s, std::vector<std::int32_t>(4, 1 << 30));
  CHECK(reduce(s, ints, plus{}, std::int8_t(1)) == (std::int64_t(1) << 32) + 1);  // a narrow one does not narrow
  CHECK(reduce(s, ints, maximum{}, 7) == 1 << 30);
  CHECK(reduce(s, ints, minimum{}, 7) == 7);
  auto const floats = upload(s, std::vector<float>{0.5f, 0.25f});
  CHECK(reduce(s, floats, plus{}, 1) == 1.75f);
  CHECK(reduce<double>(s, floats, plus{}, 0.1) == 0.85);
  buffer<double, B> out(s, 1);
  reduce(s, floats, out, multiplies{}, 0.1);
  CHECK(download(s, out)[0] == 0.1 * 0.125);
  CHECK(std::isnan(reduce(s, floats, minimum{}, testing::quiet_nan<float>)));
}

TEST_CASE_TEMPLATE("reduce: strides", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<3> shape :
       {extents<3>{{1, 1, 1}}, {{3, 5, 7}}, {{2, 300, 17}}, {{1, 4000, 3}}, {{5, 1, 2049}}, {{40, 100, 1}}, {{2, 3, 20011}}}) {
    CAPTURE(shape);
    for (testing::place where : {testing::place{1, 1}, {0, 3, true}, {2, 16}}) {
      auto const values = spread_values<std::int16_t>(shape.volume(), 5);
      guarded<std::int16_t, B, 3> g(s, shape, values, where);
      CHECK(sum(s, g.view()) == sum_of<std::int64_t>(values));
      CHECK(minmax_of(s, g.view()) == min_max<std::int16_t>{least(values), greatest(values)});
      CHECK(argmin(s, g.view()) == place_of_least(values));
      CHECK(argmax(s, g.view()) == place_of_greatest(values));
      auto const floats = spread_values<float>(shape.volume(), 5);
      guarded<float, B, 3> f(s, shape, floats, where);
      CHECK(std::fabs(double(sum(s, f.view())) - sum_of<double>(floats)) <= sum_bound<float>(shape.volume(), magnitude_of(floats)));
      CHECK(g.unchanged());
      CHECK(f.unchanged());
    }
  }
}

TEST_CASE_TEMPLATE("reduce: NaN and infinity come through sums and products", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_float([&]<class T>() {
    for (std::size_t at : {std::size_t(0), std::size_t(777), std::size_t(9999)}) {
      std::vector<T> values(10000, static_cast<T>(1.0f));
      values[at] = static_cast<T>(testing::quiet_nan<float>);
      CHECK(is_nan(sum(s, upload(s, values))));
      CHECK(is_nan(product(s, upload(s, values))));
      values[at] = static_cast<T>(-std::numeric_limits<float>::infinity());
      CHECK(sum(s, upload(s, values)) == -std::numeric_limits<float>::infinity());
    }
  });
}

TEST_CASE_TEMPLATE("reduce: bit-identical from run to run, on two streams at once", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s, t;
  index_t const n = testing::size_of(1000003, 10007);
  auto const values = spread_values<float>(n);
  auto const data = upload(s, values);
  s.synchronize();
  float const first = sum(s, data), least = min_of(s, data);
  buffer<float, B> a(s, 64), b(t, 64);
  for (index_t i = 0; i < 64; ++i) {
    sum(s, data, a.view().slice(i, 1));
    if (i % 2)
      min_of(t, data, b.view().slice(i, 1));
    else
      sum(t, data, b.view().slice(i, 1));
  }
  for (float x : download(s, a)) CHECK(x == first);
  auto const other = download(t, b);
  for (std::size_t i = 0; i < other.size(); ++i) CHECK(other[i] == (i % 2 ? least : first));
}

TEST_CASE_TEMPLATE("reduce: a result view of the wrong size", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> in(s, 10), out(s, 2);
  buffer<index_t, B> places(s, 3);
  fill(s, in, 0.0f);
  CHECK(complaint<invalid_argument>({"reduce", "one element", "2"}, [&] { reduce(s, in, out); }) == "");
  CHECK(complaint<invalid_argument>({"reduce", "one element", "0"}, [&] { product(s, in, out.view().slice(0, 0)); }) == "");
  CHECK(complaint<invalid_argument>({"argmin", "one element", "3"}, [&] { argmin(s, in, places); }) == "");
}

TEST_CASE_TEMPLATE("reduce: integers under other names", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  CHECK(sum(s, upload(s, std::vector<long long>{1, 2, 3})) == 6);
  CHECK(max_of(s, upload(s, std::vector<long long>{1, 2, 3})) == 3);
  CHECK(max_of(s, upload(s, std::vector<char>{'a', 'c', 'b'})) == 'c');
  CHECK(minmax_of(s, upload(s, std::vector<unsigned long long>{1, 2, 3})) == min_max<unsigned long long>{1, 3});
  buffer<long long, B> out(s, 1);
  product(s, upload(s, std::vector<int>{3, 4}), out);
  argmax(s, upload(s, std::vector<long>{3, 4}), out);
  CHECK(download(s, out)[0] == 1);
}

DOLMEN_TEST_CHILD(prints_reductions) {
#if DOLMEN_HAS_CPU
  dolmen::cpu::stream s;
  std::cout << std::hexfloat;
  for (index_t n : {1, 1000, 70001, 2000003}) {
    auto const data = upload(s, testing::random_values<float>(n));
    std::cout << reduce(s, data) << ' ' << reduce(s, data, plus{}, 0.3f) << ' ' << argmin(s, data) << ' ' << dot(s, data, data) << ' ';
  }
  auto const rows = upload(s, testing::random_values<float>(3000000));
  std::cout << sum(s, rows.view(1000, 3000).subview({{0, 1}}, {{1000, 2998}})) << '\n';
#endif
}

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("reduce: bit-identical whatever the number of threads", B, dolmen::cpu::backend) {
  auto const one = testing::run_child("prints_reductions", {{"OMP_NUM_THREADS", "1"}});
  CHECK(one.status == 0);
  CHECK(one.output.size() > 20);
  for (std::string const threads : {"2", "3", "7", "64"}) {
    CAPTURE(threads);
    CHECK(testing::run_child("prints_reductions", {{"OMP_NUM_THREADS", threads}}).output == one.output);
  }
}
#endif
