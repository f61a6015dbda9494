// half and bfloat16: arithmetic, comparisons, and what they mix with.
#include <doctest/doctest.h>
#include <cmath>

#include <random>

#include <dolmen/core/tile.hpp>
#include <dolmen/core/view.hpp>

#include "half_reference.hpp"

using namespace dolmen;
using testing::reference_bits;
using testing::reference_value;

// Two of one type stay in it; another number makes what it makes of a float.
static_assert(std::is_same_v<decltype(half() + half()), half> && std::is_same_v<decltype(-bfloat16()), bfloat16>);
static_assert(std::is_same_v<decltype(half() * 1.0f), float> && std::is_same_v<decltype(2 * bfloat16()), float>);
static_assert(std::is_same_v<decltype(half() / 2.0), double> && std::is_same_v<decltype(half() - bfloat16()), float>);

namespace {

template <class H>
concept index_of_view = requires(view<float> v, H h) {
  v(h);
};
static_assert(!index_of_view<half> && !index_of_view<bfloat16> && index_of_view<int>);

/// Numbers of all exponents with few and with many bits set, infinities, zeros.
template <class H>
std::vector<H> operands() {
  std::vector<H> values;
  std::mt19937 next(5);
  for (int bits = 0; bits < 0x10000; bits += 0x40)
    for (int const low : {0, 1, int(next() % 64)})
      if (!testing::is_nan<H>(std::uint16_t(bits | low))) values.push_back(H::from_bits(std::uint16_t(bits | low)));
  return values;
}

// Infinities and zeros in the reference's arithmetic behave as they do everywhere; exact results and what long double makes of
// the others differ only far below a half of the last bit.
template <class H, class Operation>
void compare(Operation operation, bool rounded_as_float) {
  auto const values = operands<H>();
  std::mt19937 next(7);
  for (H const a : values)
    for (int i = 0; i < 60; ++i) {
      H const b = values[next() % values.size()];
      auto const exact = operation(reference_value<H>(a.bits()), reference_value<H>(b.bits()));
      // A bfloat16 below 2^-126 is rounded as the float it is computed in as well: its last bit lies too near to that of floats.
      bool const twice = rounded_as_float && std::fabs(exact) < 0x1p-126L;
      auto const expected = reference_bits<H>(twice ? static_cast<long double>(static_cast<float>(exact)) : exact);
      REQUIRE(operation(a, b).bits() == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("half: + - * / are the exact result, rounded once", H, half, bfloat16) {
  bool const wide = std::is_same_v<H, bfloat16>;
  compare<H>([](auto a, auto b) { return a + b; }, false);
  compare<H>([](auto a, auto b) { return a - b; }, false);
  compare<H>([](auto a, auto b) { return a * b; }, wide);
  compare<H>([](auto a, auto b) { return a / b; }, wide);
}

TEST_CASE_TEMPLATE("half: compound assignment rounds once, from whatever it computes in", H, half, bfloat16) {
  H a(1);
  a += H(2);
  CHECK(a.bits() == H(3).bits());
  a -= 0.5f;
  CHECK(a.bits() == H(2.5).bits());
  a *= 2;
  CHECK(a.bits() == H(5).bits());
  a /= H(2);
  CHECK(a.bits() == H(2.5).bits());
  // Half a unit and a little: lost if the operand were rounded first or the sum went through float.
  H one(1);
  double const tie = std::ldexp(1.0, -testing::format<H>::digits);
  one += tie + 0x1p-40;
  CHECK(one.bits() == H(1).bits() + 1);
  one = H(1);
  one += tie;
  CHECK(one.bits() == H(1).bits());
  one += one;
  CHECK(one.bits() == H(2).bits());
}

TEST_CASE_TEMPLATE("half: negation turns the sign bit alone", H, half, bfloat16) {
  for (int bits = 0; bits < 0x10000; ++bits) REQUIRE((-H::from_bits(std::uint16_t(bits))).bits() == (bits ^ 0x8000));
}

TEST_CASE_TEMPLATE("half: comparisons by value", H, half, bfloat16) {
  H const zero(0), minus_zero(-0.0f), one(1), nan = H::from_bits(0x7fff), infinity = H(1e30f) / zero;
  CHECK(zero == minus_zero);
  CHECK_FALSE(zero < minus_zero);
  CHECK(zero <= minus_zero);
  CHECK(zero < one);
  CHECK(-one < minus_zero);
  CHECK(one > zero);
  CHECK(one < infinity);
  CHECK(-infinity < -one);
  CHECK(one >= one);
  CHECK(one != zero);
  CHECK(nan != nan);
  CHECK_FALSE(nan == nan);
  for (H const h : {zero, one, infinity, nan}) {
    CHECK_FALSE(nan < h);
    CHECK_FALSE(nan > h);
    CHECK_FALSE(nan <= h);
    CHECK_FALSE(nan >= h);
    CHECK_FALSE(h < nan);
  }
  CHECK(one == 1.0f);
  CHECK(1 == one);
  CHECK(one < 1.5);
  CHECK(dolmen::max(zero, one) == one);
  CHECK(dolmen::min(zero, -one) == -one);
  CHECK(dolmen::max(H(2), H(3)).bits() == H(3).bits());
}

TEST_CASE("half: one type into the other goes by value") {
  CHECK(bfloat16(half(1.5)).bits() == 0x3fc0);
  CHECK(half(bfloat16(1.5)).bits() == 0x3e00);
  CHECK(half(bfloat16(1e30)).bits() == 0x7c00);
  CHECK(bfloat16(half(1 + 0x1p-10)).bits() == 0x3f80);
}

// The check backend's elements are no references: what a kernel may write of floats, it may write of these.
TEST_CASE_TEMPLATE("half: elements of views, tiles and packs", H, half, bfloat16) {
  H data[4] = {H(1), H(2), H(3), H(0)};
  float floats[2] = {0.25f, 0};
  view<H> v{data, 4};
  view<H const> in{data, 4};
  view<float> f{floats, 2};
  v(3) = v(0) + v(1) * v(2);
  CHECK(data[3].bits() == H(7).bits());
  v(3) = v(3) - H(1);
  v(3) = H(2) * v(3) / v(1);
  CHECK(data[3].bits() == H(6).bits());
  v(3) = -v(3);
  v(3) += v(0);
  v(3) -= H(1);
  v(3) *= 0.5f;
  v(3) /= 2;
  v(3) += f(0);
  CHECK(data[3].bits() == H(-1.25).bits());
  v(3) = H(v(3) * 2.0f + f(0) + 1);
  CHECK(data[3].bits() == H(-1.25).bits());
  v(0) = v(1);
  CHECK(data[0].bits() == H(2).bits());
  H h(v(0));
  h += v(1);
  h = v(2) + h;
  CHECK(h.bits() == H(7).bits());
  float const wide = v(2);
  CHECK(wide == 3);
  CHECK(float(v(2)) * in(2) == 9);
  CHECK((v(0) < v(2) && v(2) > 2 && v(0) == in(1)));
  f(1) = v(2);
  f(1) += v(2) * f(0);
  CHECK(floats[1] == 3.75f);

  tile<H, 2, 2> t;
  t(0, 0) = H(3);
  t(1, 1) = t(0, 0) * v(0);
  CHECK(t.load(1, 1).bits() == H(6).bits());
  pack<H, 8> p{};
  p[7] = H(1);
  p[7] += p[7];
  CHECK(sizeof p == 16);
  CHECK(p[7] == 2);
}
