// dot, and transform_reduce of two inputs.
#include <cmath>

#include "reduce_support.hpp"

using namespace dolmen;
using namespace testing::reductions;
using testing::complaint;
using testing::guarded;

namespace test_reduce_dot {

struct product_of {
  template <class T, class U>
  DOLMEN_FN double operator()(T a, U b) const {
    return double(a) * double(b);
  }
};

}  // namespace test_reduce_dot

using namespace test_reduce_dot;

TEST_CASE_TEMPLATE("dot: every type, length and pair of places", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_number([&]<class T>() {
    using wide_type = sum_t<T>;
    for (index_t n : lengths<T>())
      for (auto where : places(n))
        for (index_t apart : {0, 1}) {  // both misaligned alike, and not
          CAPTURE(n);
          auto const x = spread_values<T>(n, std::uint64_t(n) + 1), y = spread_values<T>(n, std::uint64_t(n) + 2);
          guarded<T, B> a(s, x, where), b(s, y, {where.offset + apart, 0, where.at_end});
          auto const got = dot(s, a.const_view(), b.const_view());
          static_assert(std::is_same_v<decltype(got), wide_type const>);
          if constexpr (std::is_integral_v<T>) {
            std::uint64_t expected = 0;
            for (std::size_t i = 0; i < x.size(); ++i) expected += std::uint64_t(wide_type(x[i])) * std::uint64_t(wide_type(y[i]));
            REQUIRE(got == wide_type(expected));
          } else {
            long double expected = 0, magnitude = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
              auto const p = static_cast<long double>(wide(x[i])) * static_cast<long double>(wide(y[i]));
              expected += p, magnitude += std::fabs(p);
            }
            REQUIRE(std::fabs(double(got) - double(expected)) <= sum_bound<wide_type>(n, double(magnitude)));
          }
          REQUIRE(a.unchanged());
          REQUIRE(b.unchanged());
        }
  });
}

TEST_CASE_TEMPLATE("dot: in double, strided, NaN, of nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const ones = upload(s, std::vector<float>(1000, 1.0f / 3));
  CHECK(std::fabs(dot<double>(s, ones, ones) - 1000 * double(1.0f / 3) * double(1.0f / 3)) < 1e-11);
  buffer<double, B> out(s, 1);
  dot(s, ones, ones, out);
  CHECK(download(s, out)[0] == dot<double>(s, ones, ones));
  auto const x = testing::whole_values<float>(7 * 130, 1), y = testing::whole_values<float>(7 * 130, 2);
  double expected = 0;
  for (std::size_t i = 0; i < x.size(); ++i) expected += double(x[i]) * double(y[i]);
  guarded<float, B, 2> a(s, {{7, 130}}, x, {1, 2}), b(s, {{7, 130}}, y, {0, 5, true});
  CHECK(double(dot(s, a.view(), b.view())) == expected);
  auto with_nan = x;
  with_nan[100] = testing::quiet_nan<float>;
  CHECK(std::isnan(dot(s, upload(s, with_nan), upload(s, y))));
  CHECK(dot(s, view<int const>(), view<int const>()) == 0);
}

TEST_CASE_TEMPLATE("dot: shapes that differ", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> a(s, 10), b(s, 11), out(s, 2);
  CHECK(complaint<invalid_argument>({"dot", "10", "11"}, [&] { dot(s, a, b); }) == "");
  CHECK(complaint<invalid_argument>({"dot", "2 x 5", "5 x 2"}, [&] { dot(s, a.view(2, 5), a.view(5, 2)); }) == "");
  CHECK(complaint<invalid_argument>({"dot", "one element", "2"}, [&] { dot(s, a, a, out); }) == "");
  CHECK(complaint<invalid_argument>({"transform_reduce", "10", "11"}, [&] { transform_reduce(s, a, b, product_of{}, plus{}, 0.0); }) == "");
}

TEST_CASE_TEMPLATE("transform_reduce: of two inputs of different widths", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : testing::ladder()) {
    CAPTURE(n);
    auto const x = testing::whole_values<std::int8_t>(n, 1);
    auto const y = testing::whole_values<double>(n, 2);
    double expected = 0.5;
    for (std::size_t i = 0; i < x.size(); ++i) expected += double(x[i]) * y[i];
    for (index_t offset : {0, 1, 2, 3}) {
      guarded<std::int8_t, B> a(s, x, {offset});
      guarded<double, B> b(s, y, {1, 0, true});
      CHECK(transform_reduce(s, a.const_view(), b.const_view(), product_of{}, plus{}, 0.5) == expected);
    }
    buffer<double, B> out(s, 1);
    transform_reduce(s, upload(s, x), upload(s, y), out, product_of{}, plus{}, 0.5f);
    CHECK(download(s, out)[0] == expected);
  }
}
