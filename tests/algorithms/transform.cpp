#include "transform.hpp"

#include <cmath>

using namespace transform_tests;
using testing::complaint;

TEST_CASE_TEMPLATE("transform: one input", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_all<float, B, twice_plus_one, float>(s, {});
  check_all<std::int8_t, B, twice_plus_one, std::int8_t>(s, {});
}

TEST_CASE_TEMPLATE("transform: two and three inputs of different types", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_all<double, B, weighted, std::int8_t, float>(s, {});
  check_all<float, B, choose, std::int32_t, float, std::int16_t>(s, {});
}

namespace test_transform {

struct vec3 {
  float x, y, z;
};
struct length2 {
  DOLMEN_FN float operator()(vec3 v) const { return v.x * v.x + v.y * v.y + v.z * v.z; }
};
struct spread {
  DOLMEN_FN vec3 operator()(float x) const { return {x, 2 * x, 3 * x}; }
};
/// No value of its own before it gets one.
struct tagged {
  int value;
  DOLMEN_FN explicit tagged(int v) : value(v) {}
};
struct tag {
  DOLMEN_FN tagged operator()(tagged v) const { return tagged(v.value + 1); }
};
struct multiple_of {
  int factor;
  DOLMEN_FN bool operator()(int x) const { return x % factor == 0; }
};
struct fails_at {
  int value;
  DOLMEN_FN int operator()(int x) const {
#if !DOLMEN_ON_DEVICE
    if (x == value) throw std::runtime_error("it was there");
#endif
    return x;
  }
};

}  // namespace test_transform

TEST_CASE_TEMPLATE("transform: records, and what a function carries", B, DOLMEN_TEST_BACKENDS) {
  using namespace test_transform;
  typename B::stream s;
  index_t const n = 1003;
  auto const values = testing::whole_values<float>(n);
  buffer<vec3, B> records(s, n);
  auto const x = upload(s, values);
  guarded<float, B> squares(s, n);
  transform(s, x, records, spread{});
  transform(s, records, squares.view(), length2{});
  auto const got = squares.values();
  for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(got[i] == 14 * values[i] * values[i]);
  CHECK(squares.intact());

  std::vector<tagged> tags(std::size_t(n), tagged(4));
  auto const before = upload(s, tags);
  guarded<tagged, B> after(s, tags);
  transform(s, before, after.view(), tag{});
  std::vector<std::byte> bytes(tags.size() * sizeof(tagged));
  copy(s, view<std::byte const>(reinterpret_cast<std::byte const*>(after.view().data()), index_t(bytes.size())), bytes);
  s.synchronize();
  for (index_t i = 0; i < n; ++i) {
    int value;
    std::memcpy(&value, &bytes[std::size_t(i) * sizeof value], sizeof value);
    REQUIRE(value == 5);
  }

  auto const whole = testing::whole_values<int>(n);
  guarded<bool, B> marks(s, n);
  transform(s, upload(s, whole), marks.view(), multiple_of{3});
  std::vector<unsigned char> seen(whole.size());
  copy(s, view<unsigned char const>(reinterpret_cast<unsigned char const*>(marks.view().data()), n), seen);
  s.synchronize();
  for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i] == (whole[i] % 3 == 0));
}

TEST_CASE_TEMPLATE("transform: in place", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (place where : {place{}, {1, 0}, {0, 3}, {16, 16}}) {
    extents<3> const shape{{2, 30, 70}};
    auto const values = testing::whole_values<float>(shape.volume()), other = testing::whole_values<float>(shape.volume(), 2);
    std::vector<float> expected(values.size());
    guarded<float, B, 3> x(s, shape, values, where), y(s, shape, other);
    transform(s, x.view(), x.view(), twice_plus_one{});
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * values[i] + 1;
    REQUIRE(x.values() == expected);
    transform(s, y.view(), x.view(), x.view(), weighted{});
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 3 * other[i] - expected[i];
    REQUIRE(x.values() == expected);
    transform(s, x.view(), x.view(), x.view(), x.view(), choose{});
    for (auto& e : expected) e = e > 0 ? e + 2 * e : e - e;
    REQUIRE(x.values() == expected);
    CHECK(x.intact());
    CHECK(y.unchanged());
  }
}

// Longer than what stays in caches, where a CPU stores past them; and with an output that no line begins in.
TEST_CASE_TEMPLATE("transform: large and odd", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(9000011, 5003);
  auto const values = testing::random_values<float>(n);
  for (index_t offset : {0, 1, 13}) {
    guarded<double, B> out(s, n, {offset, 0, true});
    transform(s, upload(s, values), out.view(), twice_plus_one{});
    auto const got = out.values();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i) right = right && float(got[i]) == std::fma(2.0f, values[i], 1.0f);
    REQUIRE(right);
    REQUIRE(out.intact());
  }
}

TEST_CASE_TEMPLATE("transform: NaN, infinities, zeros of both signs", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  float const infinity = std::numeric_limits<float>::infinity();
  std::vector<float> const values{testing::quiet_nan<float>, infinity, -infinity, 0.0f, -0.0f};
  buffer<float, B> out(s, 5);
  transform(s, upload(s, values), out, negate_number{});
  auto const got = download(s, out);
  CHECK(std::isnan(got[0]));
  CHECK(got[1] == -infinity);
  CHECK(got[2] == infinity);
  CHECK(std::signbit(got[3]));
  CHECK(!std::signbit(got[4]));
}

TEST_CASE_TEMPLATE("transform: what overlaps, and what only looks like it", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const values = testing::whole_values<float>(1000);
  auto data = upload(s, values);
  auto const v = data.view();
  auto const refused = [&](auto call) { return complaint<invalid_argument>({"transform", "overlaps"}, call); };
  CHECK(refused([&] { transform(s, v.slice(0, 900), v.slice(1, 900), twice_plus_one{}); }) == "");
  CHECK(refused([&] { transform(s, v.slice(100, 900), v.slice(0, 900), twice_plus_one{}); }) == "");
  CHECK(refused([&] { transform(s, v.slice(0, 100), v.slice(500, 100), v.slice(599, 100), weighted{}); }) == "");
  auto const matrix = data.view(20, 50);
  CHECK(refused([&] {
          transform(s, matrix.subview({{0, 0}}, {{10, 26}}), matrix.subview({{0, 24}}, {{10, 26}}), twice_plus_one{});
        }) == "");
  CHECK(refused([&] {
          transform(s, matrix.subview({{0, 0}}, {{10, 26}}), matrix.subview({{3, 24}}, {{10, 26}}), twice_plus_one{});
        }) == "");
  CHECK(refused([&] {
          transform(s, matrix.subview({{0, 24}}, {{10, 26}}), matrix.subview({{3, 0}}, {{10, 26}}), twice_plus_one{});
        }) == "");
  // As another type at the same address.
  view<int> const bits(reinterpret_cast<int*>(v.data()), 1000);
  CHECK(refused([&] { transform(s, v, bits, twice_plus_one{}); }) == "");
  CHECK(download(s, data) == values);
  // Halves of a matrix, upper and lower and left and right, share no element.
  transform(s, matrix.subview({{0, 0}}, {{20, 25}}), matrix.subview({{0, 25}}, {{20, 25}}), twice_plus_one{});
  transform(s, matrix.subview({{0, 0}}, {{10, 25}}), matrix.subview({{10, 0}}, {{10, 25}}), twice_plus_one{});
  auto const got = download(s, data);
  for (std::size_t i = 0; i < 1000; ++i) {
    std::size_t const row = i / 50, column = i % 50, from = column < 25 ? (row < 10 ? i : i - 500) : i - 25;
    float const expected = column < 25 && row < 10 ? values[i] : 2 * values[from] + 1;
    REQUIRE(got[i] == expected);
  }
}

TEST_CASE_TEMPLATE("transform: shapes that differ are named", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> a(s, 24), b(s, 24), c(s, 23);
  CHECK(complaint<invalid_argument>({"transform", "24", "23"}, [&] { transform(s, a, c, twice_plus_one{}); }) == "");
  CHECK(complaint<invalid_argument>({"4 x 6", "6 x 4"}, [&] { transform(s, a.view(4, 6), b.view(6, 4), twice_plus_one{}); }) == "");
  CHECK(complaint<invalid_argument>({"23", "24"}, [&] { transform(s, c, b, a, weighted{}); }) == "");
  CHECK(complaint<invalid_argument>({"0 x 5", "5 x 0"}, [&] { transform(s, a.view(0, 5), b.view(5, 0), twice_plus_one{}); }) == "");
}

TEST_CASE_TEMPLATE("transform: empty views", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<float, B> g(s, 10);
  buffer<float, B> none(s, 0);
  transform(s, none, none, twice_plus_one{});
  transform(s, view<float const, 2>(g.view().data(), 5, 0), view<float, 2>(g.view().data(), 5, 0), twice_plus_one{});
  transform(s, view<float>(), view<float>(), view<float>(), view<float>(), choose{});
  CHECK(g.unchanged());
}

#if DOLMEN_HAS_CPU || DOLMEN_HAS_CHECK
TEST_CASE_TEMPLATE("transform: an exception reaches the caller", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  std::vector<int> values(20000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = int(i);
  auto const in = upload(s, values);
  buffer<int, B> out(s, 20000);
  for (int at : {0, 10000, 19999}) CHECK_THROWS_WITH(transform(s, in, out, test_transform::fails_at{at}), "it was there");
  transform(s, in, out, test_transform::fails_at{-1});
  CHECK(download(s, out) == values);
}
#endif
