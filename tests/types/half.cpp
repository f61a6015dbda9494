// half and bfloat16: conversions, each against an independent reference.
#include <doctest/doctest.h>
#include <cmath>

#include <algorithm>
#include <random>
#include <ranges>
#include <sstream>
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
