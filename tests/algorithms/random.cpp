#include "random.hpp"

#include <algorithm>
#include <cmath>

using namespace random_tests;
using testing::complaint;
using testing::guarded;
using testing::place;

// The vectors of Random123, kat_vectors: philox 4x32 10.
TEST_CASE_TEMPLATE("philox: known answers", B, DOLMEN_TEST_BACKENDS) {
  auto const is = [](philox_words w, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return w.word[0] == a && w.word[1] == b && w.word[2] == c && w.word[3] == d;
  };
  CHECK(is(philox({{0, 0, 0, 0}}, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  CHECK(is(philox({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  CHECK(is(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0), 0xd16cfe09, 0x94fdcceb, 0x5001e420,
           0x24126ea1));
  auto const long_form = philox({{0x76543210, 0xfedcba98, 0, 0}}, 0x89abcdef, 0x01234567);
  auto const short_form = philox(0x0123456789abcdef, 0xfedcba9876543210);
  CHECK(is(short_form, long_form.word[0], long_form.word[1], long_form.word[2], long_form.word[3]));
}

namespace {

constexpr std::uint64_t seed = 0x123456789abcdef;

/// Word k of element i, of which a block of four words makes `elements`.
std::uint32_t word(std::uint64_t i, std::uint64_t elements, std::uint64_t k) {
  return philox(seed, i / elements).word[i % elements * (4 / elements) + k];
}
std::uint64_t two_words(std::uint64_t i, std::uint64_t elements, std::uint64_t k) {
  return std::uint64_t(word(i, elements, k + 1)) << 32 | word(i, elements, k);
}

/// As documented, in wider arithmetic where that is exact.
float uniform(std::uint64_t i, float lo, float hi) {
  float const x = std::fma(float(word(i, 4, 0) >> 8) / 16777216.0f, hi - lo, lo);
  return std::min(x, lo < hi ? std::nextafter(hi, lo) : lo);
}
double uniform(std::uint64_t i, double lo, double hi) {
  double const x = std::fma(double(two_words(i, 2, 0) >> 11) * 0x1p-53, hi - lo, lo);
  return std::min(x, lo < hi ? std::nextafter(hi, lo) : lo);
}
template <class T>
T integer(std::uint64_t i, T lo, T hi) {
  __extension__ typedef unsigned __int128 wide;
  wide const span = wide(std::uint64_t(hi) - std::uint64_t(lo)) + 1;
  std::uint64_t chosen;
  if constexpr (sizeof(T) == 1) {
    chosen = std::uint64_t(span * word(i, 4, 0) >> 32);
  } else if constexpr (sizeof(T) < 8) {
    chosen = std::uint64_t(span * two_words(i, 2, 0) >> 64);
  } else {
    wide const carried = (span * two_words(i, 1, 0)) >> 64;
    chosen = span > ~std::uint64_t(0) ? two_words(i, 1, 2) : std::uint64_t((span * two_words(i, 1, 2) + carried) >> 64);
  }
  return static_cast<T>(std::uint64_t(lo) + chosen);
}

/// Every element of views of many lengths, places and offsets is number offset + i of the sequence.
template <class T, class B, class Fill, class Expected>
void check_everywhere(typename B::stream const& s, Fill const& fill, Expected const& expected) {
  auto const check = [&](extents<3> shape, place where, std::uint64_t offset) {
    CAPTURE(offset);
    guarded<T, B, 3> g(s, shape, where);
    fill(g.view(), offset);
    auto const got = g.values();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i) {
      T const want = expected(offset + i);
      right = right && std::memcmp(&got[i], &want, sizeof want) == 0;
    }
    REQUIRE(right);
    REQUIRE(g.intact());
  };
  for (index_t n : testing::ladder()) {
    if (n > 70000) n = 70003;
    check({{1, 1, n}}, {}, 0);
    check({{1, 1, n}}, {1, 0, true}, std::uint64_t(n % 7));
  }
  for (extents<3> shape : {extents<3>{{3, 5, 17}}, {{2, 300, 1}}, {{2, 3, 1030}}, {{3, 0, 1}}})
    for (place where : {place{}, {1, 3}, {4, 4, true}}) check(shape, where, 2);
  check({{1, 1, 3000}}, {}, ~std::uint64_t(0) - 1000);  // around the sequence's end
}

template <class T, class B>
void check_integers(typename B::stream const& s, T lo, T hi) {
  CAPTURE(sizeof(T));
  check_everywhere<T, B>(
      s, [&](auto v, std::uint64_t offset) { fill_uniform(s, v, seed, lo, hi, offset); },
      [&](std::uint64_t i) { return integer<T>(i, lo, hi); });
}

}  // namespace

TEST_CASE_TEMPLATE("random: uniform floats, element by element", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (auto [lo, hi] : {std::pair{0.0f, 1.0f}, {-3.5f, 1e4f}, {16777216.0f, 16777220.0f}, {2.0f, 2.0f}})
    check_everywhere<float, B>(
        s, [&, lo = lo, hi = hi](auto v, std::uint64_t offset) { fill_uniform(s, v, seed, lo, hi, offset); },
        [lo = lo, hi = hi](std::uint64_t i) { return uniform(i, lo, hi); });
  check_everywhere<double, B>(
      s, [&](auto v, std::uint64_t offset) { fill_uniform(s, v, seed, -1.0, 3.0, offset); },
      [](std::uint64_t i) { return uniform(i, -1.0, 3.0); });
  check_everywhere<half, B>(
      s, [&](auto v, std::uint64_t offset) { fill_uniform(s, v, seed, 0, 1, offset); },
      [](std::uint64_t i) { return half(std::min(uniform(i, 0.0f, 1.0f), float(half::from_bits(0x3bff)))); });
  check_everywhere<bfloat16, B>(
      s, [&](auto v, std::uint64_t offset) { fill_uniform(s, v, seed, -2, 2, offset); },
      [](std::uint64_t i) { return bfloat16(std::min(uniform(i, -2.0f, 2.0f), float(bfloat16::from_bits(0x3fff)))); });
}

TEST_CASE_TEMPLATE("random: integers, element by element", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_integers<std::int8_t, B>(s, -5, 5);
  check_integers<std::uint8_t, B>(s, 0, 255);
  check_integers<std::int16_t, B>(s, -32768, 32767);
  check_integers<std::uint16_t, B>(s, 7, 7);
  check_integers<std::int32_t, B>(s, -2147483647 - 1, 2147483647);
  check_integers<std::uint32_t, B>(s, 10, 16);
  check_integers<std::int64_t, B>(s, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  check_integers<std::int64_t, B>(s, -1000000007, 5000000000);
  check_integers<unsigned long long, B>(s, 3, ~std::uint64_t(0) - 3);
}

TEST_CASE_TEMPLATE("random: below hi, also where rounding would reach it", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = 10000;
  buffer<half, B> h(s, n);
  fill_uniform(s, h, 1, 1, 1.001f);  // hi is one step of half above 1
  for (half x : download(s, h)) REQUIRE(float(x) == 1);
  buffer<float, B> f(s, n);
  fill_uniform(s, f, 1, -1e-45f, 0);
  for (float x : download(s, f)) REQUIRE(x == -1e-45f);
  fill_uniform(s, f, 1, 0, 1e-45f);
  for (float x : download(s, f)) REQUIRE(x == 0);
  fill_uniform(s, f, 2);
  for (float x : download(s, f)) REQUIRE((x >= 0 && x < 1));  // which a NaN is not
}

TEST_CASE_TEMPLATE("random: filling in parts is filling at once", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = 5003;
  buffer<double, B> whole(s, n), parts(s, n);
  fill_normal(s, whole, seed, 1.0, 2.0);
  for (index_t begin = 0, step = 1; begin < n; begin += step, step = step * 2 + 1)
    fill_normal(s, parts.view().slice(begin, std::min(step, n - begin)), seed, 1.0, 2.0, std::uint64_t(begin));
  CHECK(digest(download(s, whole)) == digest(download(s, parts)));
  fill_normal(s, parts, seed + 1, 1.0, 2.0);
  CHECK(digest(download(s, whole)) != digest(download(s, parts)));
  fill_normal(s, parts, seed + (std::uint64_t(1) << 40), 1.0, 2.0);  // both halves of a seed count
  CHECK(digest(download(s, whole)) != digest(download(s, parts)));
}

TEST_CASE_TEMPLATE("random: ranges that are none", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> f(s, 4);
  buffer<std::int8_t, B> i(s, 4);
  float const infinity = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  auto const refused = [](std::initializer_list<char const*> parts, auto call) { return complaint<invalid_argument>(parts, call); };
  CHECK(refused({"fill_uniform", "2", "1"}, [&] { fill_uniform(s, f, 1, 2, 1); }) == "");
  CHECK(refused({"fill_uniform"}, [&] { fill_uniform(s, f, 1, 0, infinity); }) == "");
  CHECK(refused({"fill_uniform"}, [&] { fill_uniform(s, f, 1, testing::quiet_nan<float>, 1); }) == "");
  CHECK(refused({"fill_uniform"}, [&] { fill_uniform(s, f, 1, 0, testing::quiet_nan<float>); }) == "");
  CHECK(refused({"fill_uniform"}, [&] { fill_uniform(s, f, 1, -most, most); }) == "");
  CHECK(refused({"fill_uniform", "[5, 4]"}, [&] { fill_uniform(s, i, 1, std::int8_t(5), std::int8_t(4)); }) == "");
  CHECK(refused({"fill_normal", "-1"}, [&] { fill_normal(s, f, 1, 0, -1); }) == "");
  CHECK(refused({"fill_normal"}, [&] { fill_normal(s, f, 1, infinity, 1); }) == "");
  CHECK(refused({"fill_normal"}, [&] { fill_normal(s, f, 1, 0, testing::quiet_nan<float>); }) == "");
  buffer<float, B> none(s, 0);
  fill_uniform(s, none, 1);
  fill_normal(s, none, 1);
  fill_normal(s, f, 1, 3, 0);
  CHECK(download(s, f) == std::vector<float>(4, 3.0f));
}

TEST_CASE_TEMPLATE("fill_uniform: bounds that the elements' type does not have", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<std::uint8_t, B> bytes(s, 100);
  buffer<std::uint64_t, B> words(s, 100);
  buffer<std::int16_t, B> shorts(s, 100);
  fill(s, bytes, std::uint8_t(9));
  auto const refuses = [&](std::initializer_list<char const*> parts, auto& out, auto lo, auto hi) {
    CHECK(testing::complaint<invalid_argument>(parts, [&] { fill_uniform(s, out, 1, lo, hi); }) == "");
  };
  refuses({"fill_uniform", "-1", "uint8_t"}, bytes, -1, 10);
  refuses({"fill_uniform", "300", "uint8_t"}, bytes, 0, 300);
  refuses({"fill_uniform", "0.5", "uint8_t"}, bytes, 0.5, 3);
  refuses({"fill_uniform", "-1", "uint64_t"}, words, 0, -1);
  refuses({"fill_uniform", "32768", "int16_t"}, shorts, 0, 32768);
  CHECK(testing::complaint<invalid_argument>({"fill_uniform", "-3"}, [&] { fill_uniform(s, bytes, 1, 0, 9, -3); }) == "");
  buffer<float, B> floats(s, 100);
  CHECK(testing::complaint<invalid_argument>({"fill_normal", "-3"}, [&] { fill_normal(s, floats, 1, 0, 1, -3); }) == "");
  CHECK(download(s, bytes) == std::vector<std::uint8_t>(100, 9));
  fill_uniform(s, bytes, 1, 0u, 5.0);
  for (int v : download(s, bytes)) CHECK((v >= 0 && v <= 5));
  fill_uniform(s, shorts, 1, std::int64_t(-5), -5);
  CHECK(download(s, shorts) == std::vector<std::int16_t>(100, -5));
  fill_uniform(s, words, 1, UINT64_MAX, UINT64_MAX);
  CHECK(download(s, words) == std::vector<std::uint64_t>(100, UINT64_MAX));
}
