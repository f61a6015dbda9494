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

TEST_CASE_TEMPLATE("reduce: an initial value that the elements' type does not hold", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const bytes = upload(s, std::vector<std::uint8_t>{200, 210, 220});
  CHECK(reduce(s, bytes, minimum{}, 300) == 200);
  CHECK(reduce(s, bytes, minimum{}, 7) == 7);
  CHECK(reduce(s, bytes, maximum{}, -1) == 220);
  CHECK(reduce(s, bytes, maximum{}, 300) == 300);
  CHECK(reduce(s, bytes, plus{}, 1000) == 1630);
  CHECK(reduce(s, bytes.view().slice(0, 0), minimum{}, 300) == 300);
  static_assert(std::is_same_v<decltype(reduce(s, bytes, plus{}, 0)), std::uint64_t>);
  static_assert(std::is_same_v<decltype(reduce(s, bytes, minimum{}, std::uint8_t(0))), std::uint8_t>);
  auto const negative = upload(s, std::vector<std::int32_t>{-5, -3});
  CHECK(reduce(s, negative, plus{}, std::uint64_t(2)) == -6);
  CHECK(reduce(s, negative, maximum{}, std::int64_t(4000000000)) == 4000000000);
  CHECK(reduce(s, negative, plus{}, 0.5) == -7.5);
  CHECK(reduce(s, negative, minimum{}, -3.5f) == -5.0);
  CHECK(reduce(s, negative, maximum{}, -3.5f) == -3.0);
  CHECK(reduce(s, upload(s, std::vector<std::int32_t>{16777217}), maximum{}, 0.5f) == 16777217.0);
  auto const floats = upload(s, std::vector<float>{0.5f, 0.25f});
  CHECK(reduce(s, floats, plus{}, 0.1) == 0.85);
  CHECK(reduce(s, floats, minimum{}, 0.1) == 0.1);
  CHECK(std::isnan(reduce(s, floats, maximum{}, testing::quiet_nan<double>)));
  auto const halves = upload(s, std::vector<half>(8, half(0.75f)));
  CHECK(reduce(s, halves, plus{}, 0) == 6.0f);
  CHECK(reduce(s, halves, plus{}, 0.1) == 6.1);
  CHECK(reduce(s, halves, minimum{}, 0.1f) == 0.1f);
  CHECK(reduce(s, halves, minimum{}, bfloat16(0.5f)) == 0.5f);
  CHECK(reduce(s, halves, maximum{}, 1) == half(1));

  // Refused where the type is settled.
  auto const refuses = [&](std::initializer_list<char const*> parts, auto&& call) {
    CHECK(complaint<invalid_argument>(parts, call) == "");
  };
  buffer<std::uint8_t, B> least(s, 1);
  refuses({"reduce", "300", "uint8_t"}, [&] { reduce(s, bytes, least, minimum{}, 300); });
  refuses({"reduce", "-1", "uint8_t"}, [&] { reduce(s, bytes, least, maximum{}, -1); });
  refuses({"reduce", "4000000000", "int32_t"}, [&] { reduce(s, negative, maximum{}, 4000000000u); });
  refuses({"reduce", "-1", "uint64_t"}, [&] { reduce(s, bytes, plus{}, -1); });
  refuses({"reduce", "0.5", "int64_t"}, [&] { reduce<std::int64_t>(s, negative, plus{}, 0.5); });
  refuses({"reduce", "nan", "int32_t"}, [&] { reduce<std::int32_t>(s, negative, minimum{}, testing::quiet_nan<float>); });
  buffer<float, B> out(s, 1);
  refuses({"reduce", "0.1", "float"}, [&] { reduce(s, floats, out, plus{}, 0.1); });
  refuses({"reduce", "16777217", "float"}, [&] { reduce(s, floats, out, plus{}, 16777217); });
  refuses({"reduce", "1e+300", "float"}, [&] { reduce(s, floats, out, plus{}, 1e300); });
  refuses({"reduce", "65536", "half"}, [&] { reduce(s, halves, maximum{}, 65536); });
  reduce(s, floats, out, plus{}, 3);
  CHECK(download(s, out)[0] == 3.75f);
  reduce(s, floats, out, plus{}, -std::numeric_limits<double>::infinity());
  CHECK(download(s, out)[0] == -std::numeric_limits<float>::infinity());
  reduce_rows(s, bytes.view(1, 3), least, minimum{}, 255);
  CHECK(download(s, least)[0] == 200);
  refuses({"reduce_rows", "256", "uint8_t"}, [&] { reduce_rows(s, bytes.view(1, 3), least, minimum{}, 256); });
  refuses({"reduce_columns", "-1", "uint8_t"}, [&] { reduce_columns(s, bytes.view(3, 1), least, maximum{}, -1); });
  CHECK(download(s, least)[0] == 200);
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
