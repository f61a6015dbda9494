// half and bfloat16: conversions, each against an independent reference.
#include <doctest/doctest.h>
#include <cmath>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <ranges>
#include <sstream>
#include <unordered_set>
#include <vector>

#include "half_reference.hpp"

using namespace dolmen;
using testing::reference_bits;
using testing::reference_value;

// What can be computed when compiling is.
static_assert(half(1.0f).bits() == 0x3c00 && half(-2).bits() == 0xc000 && half(0.1).bits() == 0x2e66);
static_assert(bfloat16(1.0f).bits() == 0x3f80 && float(half::from_bits(0x0001)) == 0x1p-24f);
static_assert(half(1e300).bits() == 0x7c00 && half(1) + half(2) == half(3));
static_assert(std::is_trivially_copyable_v<half> && std::is_trivially_default_constructible_v<bfloat16>);
static_assert(is_floating_v<half> && is_floating_v<bfloat16 const> && is_floating_v<float> && !is_floating_v<int>);
static_assert(!std::is_convertible_v<float, half> && !std::is_convertible_v<int, half> && !std::is_convertible_v<half, bfloat16>);
static_assert(std::is_convertible_v<half, float> && std::is_constructible_v<half, bfloat16>);

// A half becomes a float by itself and nothing else; what it has in common with another number is what a float has.
template <class H, class... Numbers>
constexpr bool becomes_floats = (std::is_same_v<std::common_type_t<H, Numbers>, decltype(1.0f + Numbers())> && ...) &&
                                (std::is_same_v<std::common_type_t<Numbers const&, H>, decltype(1.0f + Numbers())> && ...) &&
                                (!std::is_convertible_v<H, Numbers> && ...) && (std::is_constructible_v<Numbers, H> && ...);
static_assert(becomes_floats<half, bool, char, std::int8_t, int, unsigned, index_t, std::uint64_t, double>);
static_assert(becomes_floats<bfloat16, bool, char, std::int8_t, int, unsigned, index_t, std::uint64_t, double>);
static_assert(std::is_same_v<std::common_type_t<half, float>, float> && std::is_same_v<std::common_type_t<half, half>, half>);
static_assert(std::is_same_v<std::common_type_t<half, bfloat16>, float> && std::totally_ordered_with<half, float>);
// A conditional expression with another number is that of a float, or does not compile.
template <class H, class N>
constexpr bool chosen_beside = true;
template <class H, class N>
requires requires(H h, N n, bool b) { b ? h : n; }
constexpr bool chosen_beside<H, N> = std::is_same_v<decltype(true ? H() : N()), decltype(1.0f + N())>;
static_assert(chosen_beside<half, int> && chosen_beside<bfloat16, int> && chosen_beside<half, bool> && chosen_beside<half, double>);

// numeric_limits, beside what IEEE says of binary16 and what a float of eight bits has.
template <class H>
using limits = std::numeric_limits<H>;
static_assert(limits<half>::is_specialized && limits<half const>::is_signed && !limits<half>::is_integer && limits<half>::is_iec559);
static_assert(limits<half>::digits == 11 && limits<half>::digits10 == 3 && limits<half>::max_digits10 == 5);
static_assert(limits<half>::min_exponent == -13 && limits<half>::max_exponent == 16);
static_assert(limits<half>::min_exponent10 == -4 && limits<half>::max_exponent10 == 4);
static_assert(limits<half>::max() == 65504 && limits<half>::lowest() == -65504 && limits<half>::min() == 0x1p-14);
static_assert(limits<half>::epsilon() == 0x1p-10 && limits<half>::denorm_min() == 0x1p-24 && limits<half>::round_error() == 0.5f);
static_assert(limits<bfloat16>::digits == 8 && limits<bfloat16>::digits10 == 2 && limits<bfloat16>::max_digits10 == 4);
static_assert(limits<bfloat16>::min_exponent == limits<float>::min_exponent &&
              limits<bfloat16>::max_exponent == limits<float>::max_exponent);
static_assert(limits<bfloat16>::min_exponent10 == -37 && limits<bfloat16>::max_exponent10 == 38);
static_assert(limits<bfloat16>::max() == 0x1.fep127f && limits<bfloat16>::lowest() == -0x1.fep127f);
static_assert(limits<bfloat16>::min() == limits<float>::min() && limits<bfloat16>::epsilon() == 0x1p-7);
static_assert(limits<bfloat16>::denorm_min() == 0x1p-133f && limits<bfloat16>::infinity() == limits<float>::infinity());

TEST_CASE_TEMPLATE("half: every pattern to float and back", H, half, bfloat16) {
  for (int i = 0; i < 0x10000; ++i) {
    auto const bits = static_cast<std::uint16_t>(i);
    H const h = H::from_bits(bits);
    REQUIRE(h.bits() == bits);
    if (testing::is_nan<H>(bits)) {
      auto const wide = __builtin_bit_cast(std::uint32_t, float(h));
      REQUIRE(wide == (std::is_same_v<H, half> ? 0x7fffffffu : std::uint32_t(bits) << 16));
      REQUIRE(H(float(h)).bits() == 0x7fff);
    } else {
      REQUIRE(static_cast<long double>(float(h)) == reference_value<H>(bits));
      REQUIRE(std::signbit(float(h)) == (i >= 0x8000));
      REQUIRE(H(float(h)).bits() == bits);
      REQUIRE(H(double(h)).bits() == bits);
    }
  }
}

TEST_CASE_TEMPLATE("half: midpoints and their neighbours round once, from float and from double", H, half, bfloat16) {
  for (float const f : testing::near_midpoints<H, float>()) REQUIRE(H(f).bits() == reference_bits<H>(f));
  for (double const d : testing::near_midpoints<H, double>()) REQUIRE(H(d).bits() == reference_bits<H>(d));
}

TEST_CASE_TEMPLATE("half: random floats and doubles of all sizes", H, half, bfloat16) {
  std::mt19937_64 next(3);
  for (int i = 0; i < 200000; ++i) {
    auto const bits = next();
    float const f = __builtin_bit_cast(float, std::uint32_t(bits));
    double const d = __builtin_bit_cast(double, bits);
    double const common = std::ldexp(double(next()) * (i % 2 ? 1 : -1), int(next() % 60) - 90);
    REQUIRE(H(f).bits() == reference_bits<H>(f));
    REQUIRE(H(d).bits() == reference_bits<H>(d));
    REQUIRE(H(common).bits() == reference_bits<H>(common));
  }
}

TEST_CASE("half: the ends of its range") {
  CHECK(half(0x1p-25f).bits() == 0x0000);
  CHECK(half(std::nextafter(0x1p-25f, 1.0f)).bits() == 0x0001);
  CHECK(half(std::nextafter(0x1p-25, 1.0)).bits() == 0x0001);
  CHECK(half(-0x1p-25f).bits() == 0x8000);
  CHECK(half(-0.0f).bits() == 0x8000);
  CHECK(half(std::numeric_limits<double>::denorm_min()).bits() == 0x0000);
  CHECK(half(65519.996f).bits() == 0x7bff);
  CHECK(half(std::nextafter(65520.0, 0.0)).bits() == 0x7bff);
  CHECK(half(65520.0f).bits() == 0x7c00);
  CHECK(half(-65520).bits() == 0xfc00);
  CHECK(half(65519).bits() == 0x7bff);
  // Nearly one unit of a float above a tie: a float on the way would make it the tie, which goes the other way.
  CHECK(half(1 + 0x1p-11 + 0x1p-40).bits() == 0x3c01);
  CHECK(half(float(1 + 0x1p-11 + 0x1p-40)).bits() == 0x3c00);
  CHECK(bfloat16(1 + 0x1p-8 + 0x1p-40).bits() == 0x3f81);
}

TEST_CASE("bfloat16: the ends of its range") {
  float const most = std::numeric_limits<float>::max();
  CHECK(bfloat16(0x1p-134f).bits() == 0x0000);
  CHECK(bfloat16(std::nextafter(0x1p-134f, 1.0f)).bits() == 0x0001);
  CHECK(bfloat16(std::nextafter(0x1p-134, 1.0)).bits() == 0x0001);
  CHECK(bfloat16(most).bits() == 0x7f80);
  CHECK(bfloat16(double(most)).bits() == 0x7f80);
  CHECK(bfloat16(-1e300).bits() == 0xff80);
  CHECK(bfloat16(0x1.fep127f).bits() == 0x7f7f);
  CHECK(bfloat16(std::nextafter(0x1.ffp127, 0.0)).bits() == 0x7f7f);
}

TEST_CASE_TEMPLATE("half: NaN stays NaN, with the bits 0x7fff", H, half, bfloat16) {
  for (std::uint32_t const bits : {0x7f800001u, 0x7fbfffffu, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffc00000u, 0xffffffffu})
    CHECK(H(__builtin_bit_cast(float, bits)).bits() == 0x7fff);
  for (std::uint64_t const bits : {0x7ff0000000000001u, 0x7ff8000000000000u, 0xfff0000000000001u, 0xffffffffffffffffu})
    CHECK(H(__builtin_bit_cast(double, bits)).bits() == 0x7fff);
}

TEST_CASE_TEMPLATE("half: integers of every width round once", H, half, bfloat16) {
  for (int i = -0x8000; i < 0x10000; ++i) {
    REQUIRE(H(i).bits() == reference_bits<H>(i));
    REQUIRE(H(std::int64_t(i)).bits() == reference_bits<H>(i));
    if (i >= 0) REQUIRE(H(std::uint16_t(i)).bits() == reference_bits<H>(i));
    if (i < 0x8000) REQUIRE(H(std::int16_t(i)).bits() == reference_bits<H>(i));
    if (i >= -128 && i < 128) REQUIRE(H(std::int8_t(i)).bits() == reference_bits<H>(i));
  }
  CHECK(H(true).bits() == H(1).bits());
  CHECK(H('\x07').bits() == H(7.0f).bits());
  // Ties of eight and of eleven bits at every height, and the integers next to them.
  for (int top = 0; top < 64; ++top)
    for (std::uint64_t fraction = 0; fraction < 4096; ++fraction) {
      std::uint64_t const middle = top < 12 ? fraction : ((4096 + fraction) << (top - 12));
      for (std::uint64_t const m : {middle - 1, middle, middle + 1}) {
        REQUIRE(H(m).bits() == reference_bits<H>(static_cast<long double>(m)));
        auto const n = static_cast<std::int64_t>(0 - m);
        REQUIRE(H(n).bits() == reference_bits<H>(static_cast<long double>(n)));
        REQUIRE(H(std::uint32_t(m)).bits() == reference_bits<H>(std::uint32_t(m)));
        REQUIRE(H(std::int32_t(m)).bits() == reference_bits<H>(std::int32_t(m)));
      }
    }
}

TEST_CASE_TEMPLATE("half: the standard library sorts them", H, half, bfloat16) {
  std::mt19937_64 next(7);
  std::vector<H> values;
  while (values.size() < 1000)
    if (auto const bits = static_cast<std::uint16_t>(next()); !testing::is_nan<H>(bits)) values.push_back(H::from_bits(bits));
  std::vector<float> expected(values.begin(), values.end());
  std::sort(expected.begin(), expected.end());
  auto sorted = values, ranged = values, middle = values, reversed = values;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end()));
  std::ranges::sort(ranged);
  CHECK(std::equal(ranged.begin(), ranged.end(), expected.begin(), expected.end()));
  std::nth_element(middle.begin(), middle.begin() + 300, middle.end());
  CHECK(middle[300] == expected[300]);
  std::reverse(reversed.begin(), reversed.end());
  CHECK(reversed[0].bits() == values[999].bits());
  dolmen::swap(reversed[0], reversed[1]);
  CHECK(reversed[0].bits() == values[998].bits());
}

TEST_CASE_TEMPLATE("half: prints as a float does", H, half, bfloat16) {
  std::ostringstream out;
  out << H(1.5) << ' ' << H(-3);
  CHECK(out.str() == "1.5 -3");
}

TEST_CASE_TEMPLATE("half: limits are neighbours of what is beyond them", H, half, bfloat16) {
  using numbers = std::numeric_limits<H>;
  CHECK(std::isnan(float(numbers::quiet_NaN())));
  CHECK(std::isinf(float(numbers::infinity())));
  CHECK(H::from_bits(std::uint16_t(numbers::max().bits() + 1)).bits() == numbers::infinity().bits());
  CHECK(H(float(1) + float(numbers::epsilon())).bits() == H(1).bits() + 1);
  CHECK(numbers::min() > numbers::denorm_min());
  CHECK(H(float(numbers::denorm_min()) / 2).bits() == 0);
  // So many digits bring every number back.
  for (int bits = 0; bits < numbers::infinity().bits(); ++bits) {
    char text[32];
    H const h = H::from_bits(std::uint16_t(bits));
    std::snprintf(text, sizeof text, "%.*g", numbers::max_digits10, double(h));
    REQUIRE(H(std::strtod(text, nullptr)).bits() == bits);
  }
}

TEST_CASE_TEMPLATE("half: hashes", H, half, bfloat16) {
  std::hash<H> const hash;
  CHECK(hash(H(0.0f)) == hash(H(-0.0f)));
  std::unordered_set<H> seen{H(1), H(2), H(1.0), H(0.0f), H(-0.0f)};
  CHECK(seen.size() == 3);
  CHECK(seen.count(H(2.0f)) == 1);
  std::unordered_set<std::size_t> all;
  for (int bits = 0; bits < 0x10000; ++bits) all.insert(hash(H::from_bits(std::uint16_t(bits))));
  CHECK(all.size() == 0xffff);
}

TEST_CASE_TEMPLATE("half: beside other numbers", H, half, bfloat16) {
  H const h(0.75f);
  bool const yes = h > 0;
  CHECK((yes ? h : 0.5f) == 0.75f);
  CHECK(h < 1);
  CHECK(1 > h);
  CHECK(0.75 == h);
  CHECK(h != 0);
  CHECK(h >= half(0.75f));
  CHECK(h <= bfloat16(0.75f));
  CHECK(+h == 0.75f);
  CHECK(int(H(3.5f)) == 3);
  CHECK((h ? 1 : 0) == 1);
  double sum = 1;
  sum += h;
  sum *= h;
  CHECK(sum == 1.3125);
  std::vector<H> const eight(8, h);
  CHECK(std::accumulate(eight.begin(), eight.end(), 0.0) == 6);
  CHECK(std::abs(-h) == 0.75f);
  CHECK(std::sqrt(H(4)) == 2);
  CHECK(std::isnan(std::numeric_limits<H>::quiet_NaN()));
}

// Functions of a program's own, whose names are also the library's: looked up through the arguments, only these are found.
namespace program {
template <class T>
T add(T a, T b) {
  return a + b;
}
template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
bool sorts_before(T a, T b) {
  return a < b;
}
template <class T>
T multiply(T a, T b) {
  return a * b;
}
template <class T>
T negative(T a) {
  return -a;
}
template <class T>
auto bits_of(T a) {
  return a.bits();
}
template <class T>
bool less(T a, T b) {
  return a < b;
}
template <class H>
bool all_found(H one, H two) {
  return add(one, two) == H(3) && max(one, two) == two && sorts_before(one, two) && multiply(one, two) == two && negative(one) == H(-1) &&
         bits_of(one) == one.bits() && less(one, two);
}
}  // namespace program

TEST_CASE_TEMPLATE("half: a program's own functions are found alone", H, half, bfloat16) { CHECK(program::all_found(H(1), H(2))); }
