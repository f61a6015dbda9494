#include <cmath>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::bytes_of;
using testing::guarded;

namespace {

struct pair16 {
  double a, b;
  friend bool operator==(pair16 const&, pair16 const&) = default;
};
struct alignas(16) wide16 {
  std::uint64_t a, b;
  friend bool operator==(wide16 const&, wide16 const&) = default;
};
struct triple12 {
  float x, y, z;
  friend bool operator==(triple12 const&, triple12 const&) = default;
};
struct triple24 {
  std::int64_t x, y, z;
  friend bool operator==(triple24 const&, triple24 const&) = default;
};

/// Every byte of a value differs, so that a byte in the wrong place shows.
template <class T>
T distinct() {
  T value;
  unsigned char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(0x21 + 3 * i);
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T, class B>
void fill_everywhere(typename B::stream const& s) {
  CAPTURE(sizeof(T));
  T const value = distinct<T>();
  auto const all_equal = [&](std::vector<T> const& v) {
    for (auto const& x : v)
      if (!(x == value)) return false;
    return true;
  };
  for (index_t n : {index_t(1), index_t(2), index_t(3), index_t(15), index_t(16), index_t(17), index_t(255), index_t(1025),
                    testing::size_of(100003, 20011)})
    for (testing::place where : {testing::place{}, {1}, {3, 0, true}}) {
      guarded<T, B> g(s, n, where);
      fill(s, g.view(), value);
      REQUIRE(all_equal(g.values()));
      REQUIRE(g.intact());
    }
  for (testing::place where : {testing::place{}, {1, 3}, {0, 1, true}}) {
    guarded<T, B, 2> plane(s, {{33, 5}}, where);
    fill(s, plane.view(), value);
    REQUIRE(all_equal(plane.values()));
    REQUIRE(plane.intact());
    guarded<T, B, 3> volume(s, {{3, 4, 129}}, where);
    fill(s, volume.view(), value);
    REQUIRE(all_equal(volume.values()));
    REQUIRE(volume.intact());
  }
}

}  // namespace

TEST_CASE_TEMPLATE("fill: element sizes from 1 to 64 bytes, offsets, strides", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  fill_everywhere<std::uint8_t, B>(s);
  fill_everywhere<std::uint16_t, B>(s);
  fill_everywhere<bytes_of<3>, B>(s);
  fill_everywhere<std::int32_t, B>(s);
  fill_everywhere<std::uint64_t, B>(s);
  fill_everywhere<triple12, B>(s);
  fill_everywhere<pair16, B>(s);
  fill_everywhere<wide16, B>(s);
  fill_everywhere<triple24, B>(s);
  fill_everywhere<bytes_of<64>, B>(s);
}

TEST_CASE_TEMPLATE("fill: floats, packs, NaN and -0.0 bit for bit", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> b(s, 1000);
  fill(s, b, 1.5f);
  CHECK(download(s, b) == std::vector<float>(1000, 1.5f));
  fill(s, b, testing::quiet_nan<float>);
  for (float x : download(s, b)) REQUIRE(std::isnan(x));
  fill(s, b, -0.0f);
  for (float x : download(s, b)) REQUIRE(std::signbit(x));
  fill(s, b.view().template as_packs<4>(), pack<float, 4>{{1, 2, 3, 4}});
  auto const packed = download(s, b);
  for (std::size_t i = 0; i < packed.size(); ++i) REQUIRE(packed[i] == float(i % 4 + 1));
}

TEST_CASE_TEMPLATE("fill: empty views", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<int, B> g(s, 10);
  fill(s, g.view().slice(5, 0), 1);
  fill(s, view<int, 2>(g.view().data(), 0, 5), 1);
  fill(s, view<int, 2>(g.view().data(), 5, 0), 1);
  fill(s, view<int>(), 1);
  CHECK(g.unchanged());
}

TEST_CASE_TEMPLATE("fill: more rows than a grid is high", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<std::int8_t, B, 2> g(s, {{70001, 3}}, testing::place{0, 1});
  fill(s, g.view(), std::int8_t(7));
  CHECK(g.values() == std::vector<std::int8_t>(70001 * 3, std::int8_t(7)));
  CHECK(g.intact());
}

// Where a CPU stores past its caches.
TEST_CASE_TEMPLATE("fill: more than caches hold", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(5000011, 4099);
  for (index_t offset : {0, 5}) {
    guarded<double, B> line(s, n, {offset, 0, true});
    fill(s, line.view(), 1.25);
    CHECK(line.values() == std::vector<double>(std::size_t(n), 1.25));
    CHECK(line.intact());
  }
  guarded<triple12, B, 2> rows(s, {{3, n / 4}}, {1, 7});
  fill(s, rows.view(), distinct<triple12>());
  CHECK(rows.values() == std::vector<triple12>(std::size_t(3 * (n / 4)), distinct<triple12>()));
  CHECK(rows.intact());
}
