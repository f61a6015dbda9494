#include <cmath>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;
using testing::random_values;

namespace {

/// b + factor c as documented: wrapping, or one fused multiply-add in float or double.
template <class T>
T multiple_and_sum(T b, detail::scalar_of<T> factor, T c) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::uint64_t(b) + std::uint64_t(factor) * std::uint64_t(c));
  else
    return static_cast<T>(std::fma(factor, detail::scalar_of<T>(c), detail::scalar_of<T>(b)));
}

template <class T>
std::vector<T> values_of(index_t n, std::uint64_t seed) {
  if constexpr (half_type<T>) {
    auto const wide = random_values<float>(n, seed);
    std::vector<T> values(wide.size());
    for (std::size_t i = 0; i < wide.size(); ++i) values[i] = T(4 * wide[i]);
    return values;
  } else {
    return random_values<T>(n, seed);
  }
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T, class B>
void check_shape(typename B::stream const& s, extents<3> shape, place x_place, place y_place) {
  using scalar = detail::scalar_of<T>;
  scalar const factor = std::is_floating_point_v<scalar> ? static_cast<scalar>(0.7) : static_cast<scalar>(-3);
  auto const b = values_of<T>(shape.volume(), 1), c = values_of<T>(shape.volume(), 2);
  std::vector<T> scaled(b.size()), sum(b.size()), update(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    if constexpr (std::is_integral_v<T>)
      scaled[i] = static_cast<T>(std::uint64_t(factor) * std::uint64_t(b[i]));
    else
      scaled[i] = static_cast<T>(factor * scalar(b[i]));
    sum[i] = static_cast<T>(b[i] + c[i]);
    update[i] = multiple_and_sum<T>(b[i], factor, c[i]);
  }
  guarded<T, B, 3> x(s, shape, b, x_place), y(s, shape, c, y_place), out(s, shape, x_place);
  scale(s, factor, x.const_view(), out.view());
  REQUIRE(same_bits(out.values(), scaled));
  add(s, x.const_view(), y.view(), out.view());
  REQUIRE(same_bits(out.values(), sum));
  triad(s, x.view(), factor, y.const_view(), out.view());
  REQUIRE(same_bits(out.values(), update));
  REQUIRE(out.intact());
  REQUIRE(y.unchanged());
  REQUIRE(x.unchanged());
  axpy(s, factor, y.view(), x.view());
  REQUIRE(same_bits(x.values(), update));
  REQUIRE(x.intact());
  scale(s, factor, y.view(), y.view());
  add(s, y.view(), y.view(), y.view());
  REQUIRE(y.intact());
}

template <class T, class B>
void check_type(typename B::stream const& s) {
  CAPTURE(sizeof(T));
  bool odd = false;
  for (index_t n : testing::ladder()) {
    odd = !odd;
    for (bool shifted : {false, true})
      if (n < 5000 || shifted == odd || testing::full_products())
        check_shape<T, B>(s, {{1, 1, n}}, shifted ? place{1, 0, true} : place{}, shifted ? place{3} : place{});
  }
  for (extents<3> shape : {extents<3>{{3, 5, 17}}, {{2, 300, 1}}, {{2, 3, 1030}}, {{3, 0, 1}}})
    for (auto const& [x, y] : {std::pair<place, place>{}, {{1, 3}, {}}, {{16, 16}, {0, 32}}}) check_shape<T, B>(s, shape, x, y);
}

}  // namespace

TEST_CASE_TEMPLATE("linear: floats, one rounding", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_type<float, B>(s);
  check_type<double, B>(s);
}

TEST_CASE_TEMPLATE("linear: half and bfloat16", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_type<half, B>(s);
  check_type<bfloat16, B>(s);
}

TEST_CASE_TEMPLATE("linear: integers wrap", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_type<std::int8_t, B>(s);
  check_type<std::uint16_t, B>(s);
  check_type<std::int32_t, B>(s);
  check_type<long long, B>(s);
  if (!testing::full_products()) return;
  check_type<std::uint8_t, B>(s);
  check_type<std::int16_t, B>(s);
  check_type<std::uint32_t, B>(s);
  check_type<unsigned long, B>(s);
}

TEST_CASE_TEMPLATE("linear: NaN and infinity come through", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  float const infinity = std::numeric_limits<float>::infinity();
  auto const a = upload(s, std::vector<float>{1, testing::quiet_nan<float>, infinity, infinity, -0.0f});
  auto const b = upload(s, std::vector<float>{testing::quiet_nan<float>, 1, 1, -infinity, -0.0f});
  buffer<float, B> out(s, 5);
  auto const check = [&] {
    auto const got = download(s, out);
    CHECK(std::isnan(got[0]));
    CHECK(std::isnan(got[1]));
    CHECK(got[2] == infinity);
    CHECK(std::isnan(got[3]));
    CHECK(got[4] == 0);
    CHECK(std::signbit(got[4]));
  };
  add(s, a, b, out);
  check();
  triad(s, a, 2.0f, b, out);
  check();
  scale(s, 0.0f, a, out);
  auto const got = download(s, out);
  CHECK(got[0] == 0);
  CHECK(std::isnan(got[1]));
  CHECK(std::isnan(got[2]));
}

TEST_CASE_TEMPLATE("linear: errors name the operation and both shapes", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> a(s, 24), b(s, 23);
  CHECK(complaint<invalid_argument>({"axpy", "24", "23"}, [&] { axpy(s, 1, a, b); }) == "");
  CHECK(complaint<invalid_argument>({"scale", "24", "23"}, [&] { scale(s, 1, a, b); }) == "");
  CHECK(complaint<invalid_argument>({"add", "4 x 6", "6 x 4"}, [&] { add(s, a.view(4, 6), a.view(6, 4), a.view(6, 4)); }) == "");
  CHECK(complaint<invalid_argument>({"triad", "24", "23"}, [&] { triad(s, a, 1, b, a); }) == "");
  CHECK(complaint<invalid_argument>({"axpy", "overlaps"}, [&] { axpy(s, 1, a.view().slice(0, 20), a.view().slice(1, 20)); }) == "");
  buffer<float, B> none(s, 0);
  axpy(s, 1, none, none);
  add(s, none, none, none);
  scale(s, 2, none, none);
}
