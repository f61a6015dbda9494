#include <cmath>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;
using testing::place;

namespace {

/// start + i step in wider arithmetic, rounded once more than iota does only where double is not exact.
template <class T>
T expected(index_t i, double start, double step) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::uint64_t(std::int64_t(start)) + std::uint64_t(i) * std::uint64_t(std::int64_t(step)));
  else
    return static_cast<T>(std::fma(double(i), step, start));
}

template <class T, class B>
void check_type(typename B::stream const& s) {
  CAPTURE(sizeof(T));
  auto const check = [&](extents<3> shape, place where, double start, double step) {
    guarded<T, B, 3> g(s, shape, where);
    if constexpr (half_type<T>)
      iota(s, g.view(), start, step);
    else
      iota(s, g.view(), static_cast<T>(start), static_cast<T>(step));
    auto const got = g.values();
    bool right = true;
    for (index_t i = 0; i < index_t(got.size()); ++i) {
      T const want = expected<T>(i, start, step);
      right = right && std::memcmp(&got[std::size_t(i)], &want, sizeof want) == 0;
    }
    REQUIRE(right);
    REQUIRE(g.intact());
  };
  for (index_t n : testing::ladder()) check({{1, 1, n}}, n % 2 ? place{1} : place{}, 3, 2);
  for (extents<3> shape : {extents<3>{{1, 37, 5}}, {{3, 5, 17}}, {{2, 300, 1}}, {{2, 3, 1030}}, {{0, 3, 1}}})
    for (place where : {place{}, {1, 3}, {0, 2, true}, {16, 16}}) {
      check(shape, where, 0, 1);
      if constexpr (std::is_signed_v<T>) check(shape, where, -5, -3);
      if constexpr (std::is_floating_point_v<T>) check(shape, where, 0.5, 0.25);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("iota: every number type", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_type<std::int8_t, B>(s);
  check_type<std::int16_t, B>(s);
  check_type<std::int32_t, B>(s);
  check_type<long long, B>(s);
  check_type<std::uint8_t, B>(s);
  check_type<std::uint16_t, B>(s);
  check_type<std::uint32_t, B>(s);
  check_type<unsigned long, B>(s);
  check_type<float, B>(s);
  check_type<double, B>(s);
  check_type<half, B>(s);
  check_type<bfloat16, B>(s);
}

TEST_CASE_TEMPLATE("iota: from 0 by 1 unless told otherwise, and inexact steps", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(5000011, 4099);  // a float alone would stop counting at 2^24
  buffer<int, B> whole(s, n);
  iota(s, whole);
  auto const counted = download(s, whole);
  bool right = true;
  for (index_t i = 0; i < n; ++i) right = right && counted[std::size_t(i)] == int(i);
  CHECK(right);
  guarded<float, B> tenths(s, n, {3, 0, true});
  iota(s, tenths.view(), 0.1f, 0.3f);
  auto const got = tenths.values();
  for (index_t i = 0; i < n; ++i) right = right && got[std::size_t(i)] == float(std::fma(double(i), double(0.3f), double(0.1f)));
  CHECK(right);
  CHECK(tenths.intact());
  iota(s, whole, 7);
  CHECK(download(s, whole.view().slice(n - 1, 1))[0] == int(n + 6));
}
