// Pairs of normal numbers from uniform bits by the method of Box and Muller (1958), by operations that every processor rounds
// in one way: + - * / sqrt and fused multiply-add. No product is added to anything but by fused(), so that no compiler can
// contract what another does not, and no function of a mathematical library is called.
#pragma once

#include "bits.hpp"
#include "fused.hpp"

namespace dolmen::detail {

DOLMEN_INLINE_FN float rounded_sqrt(float x) {
#if DOLMEN_ON_DEVICE
  return __fsqrt_rn(x);
#else
  return __builtin_sqrtf(x);
#endif
}
DOLMEN_INLINE_FN double rounded_sqrt(double x) {
#if DOLMEN_ON_DEVICE
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}
DOLMEN_INLINE_FN float rounded_quotient(float a, float b) {
#if DOLMEN_ON_DEVICE
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}
DOLMEN_INLINE_FN double rounded_quotient(double a, double b) {
#if DOLMEN_ON_DEVICE
  return __ddiv_rn(a, b);
#else
  return a / b;
#endif
}

/// log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)): 2 artanh(s) with s = f / (2 + f), by its series, cut off below half an ulp.
DOLMEN_INLINE_FN float log_near_one(float f) {
  float const s = rounded_quotient(f, f + 2), square = s * s, twice = s + s;
  float p = 1.0f / 11;
  p = fused(p, square, 1.0f / 9);
  p = fused(p, square, 1.0f / 7);
  p = fused(p, square, 1.0f / 5);
  p = fused(p, square, 1.0f / 3);
  return fused(twice * square, p, twice);
}
DOLMEN_INLINE_FN double log_near_one(double f) {
  double const s = rounded_quotient(f, f + 2), square = s * s, twice = s + s;
  double p = 1.0 / 21;
  p = fused(p, square, 1.0 / 19);
  p = fused(p, square, 1.0 / 17);
  p = fused(p, square, 1.0 / 15);
  p = fused(p, square, 1.0 / 13);
  p = fused(p, square, 1.0 / 11);
  p = fused(p, square, 1.0 / 9);
  p = fused(p, square, 1.0 / 7);
  p = fused(p, square, 1.0 / 5);
  p = fused(p, square, 1.0 / 3);
  return fused(twice * square, p, twice);
}

/// log((k + 1/2) / 2^31) for k of 31 bits. Above sqrt(1/2) it comes of the distance to 1, which a float holds better.
DOLMEN_INLINE_FN float log_of_unit(std::uint32_t k) {
  float const u = fused(float(int(k)), 0x1p-31f, 0x1p-32f), rest = fused(float(int(k ^ 0x7fffffff)), 0x1p-31f, 0x1p-32f);
  constexpr std::uint32_t root_half = 0x3f3504f3, one = std::uint32_t(127) << 23;
  std::uint32_t const d = bits_of(u) + (one - root_half);  // the exponent of u / sqrt(1/2) above
  float const m = bits_as<float>((d & 0x7fffff) + root_half);
  return fused(float(int(d >> 23) - 127), 0.693147181f, log_near_one(d >= one ? -rest : m - 1));
}
/// log(u) of a normal number in (0, 1).
DOLMEN_INLINE_FN double log_of_unit(double u) {
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd, one = std::uint64_t(1023) << 52;
  std::uint64_t const d = bits_of(u) + (one - root_half);
  double const m = bits_as<double>((d & 0xfffffffffffff) + root_half);
  // 2^52 + exponent as bits: few CPUs convert 64-bit integers in vectors.
  double const exponent = bits_as<double>(0x4330000000000000 | (d >> 52)) - (0x1p52 + 1023);
  return fused(exponent, 0.69314718055994531, log_near_one(m - 1));
}

template <class Float>
struct sine_cosine {
  Float sine, cosine;
};

/// Of an angle within an eighth of a turn, by their series, cut off below half an ulp.
DOLMEN_INLINE_FN sine_cosine<float> near_zero(float x) {
  float const square = x * x;
  float s = 1.0f / 362880;
  s = fused(s, square, -1.0f / 5040);
  s = fused(s, square, 1.0f / 120);
  s = fused(s, square, -1.0f / 6);
  float c = -1.0f / 3628800;
  c = fused(c, square, 1.0f / 40320);
  c = fused(c, square, -1.0f / 720);
  c = fused(c, square, 1.0f / 24);
  c = fused(c, square, -0.5f);
  return {fused(x * square, s, x), fused(c, square, 1.0f)};
}
DOLMEN_INLINE_FN sine_cosine<double> near_zero(double x) {
  double const square = x * x;
  double s = 1.0 / 355687428096000;
  s = fused(s, square, -1.0 / 1307674368000);
  s = fused(s, square, 1.0 / 6227020800);
  s = fused(s, square, -1.0 / 39916800);
  s = fused(s, square, 1.0 / 362880);
  s = fused(s, square, -1.0 / 5040);
  s = fused(s, square, 1.0 / 120);
  s = fused(s, square, -1.0 / 6);
  double c = 1.0 / 20922789888000;
  c = fused(c, square, -1.0 / 87178291200);
  c = fused(c, square, 1.0 / 479001600);
  c = fused(c, square, -1.0 / 3628800);
  c = fused(c, square, 1.0 / 40320);
  c = fused(c, square, -1.0 / 720);
  c = fused(c, square, 1.0 / 24);
  c = fused(c, square, -0.5);
  return {fused(x * square, s, x), fused(c, square, 1.0)};
}

/// A quarter turn, so many times: choices by bits, which vectorise.
template <class Float>
DOLMEN_INLINE_FN sine_cosine<Float> turned(sine_cosine<Float> near, word_of<Float> quarters) {
  using word = word_of<Float>;
  constexpr int top = 8 * int(sizeof(Float)) - 1;
  word const swap = word(0) - (quarters & 1), s = bits_of(near.sine), c = bits_of(near.cosine);
  word const sine = (s & ~swap) | (c & swap), cosine = (c & ~swap) | (s & swap);
  word const sine_sign = ((quarters >> 1) & 1) << top, cosine_sign = (((quarters + 1) >> 1) & 1) << top;
  return {bits_as<Float>(static_cast<word>(sine ^ sine_sign)), bits_as<Float>(static_cast<word>(cosine ^ cosine_sign))};
}

/// Two independent normal numbers from 32 bits each: the radius from 31, the angle from 32. None is beyond 6.7.
DOLMEN_INLINE_FN sine_cosine<float> normal_pair(std::uint32_t radius_bits, std::uint32_t angle_bits) {
  float const radius = rounded_sqrt(-2 * log_of_unit(radius_bits >> 1));
  // The angle's upper two bits, rounded, count quarter turns; the rest is up to half of one to either side.
  std::uint32_t const quarters = (angle_bits + (1u << 29)) >> 30;
  float const angle = float(static_cast<std::int32_t>(angle_bits << 2)) * 3.6572953e-10f;
  auto const at = turned(near_zero(angle), quarters);
  return {radius * at.sine, radius * at.cosine};
}

/// From 52 bits each. None is beyond 8.6.
DOLMEN_INLINE_FN sine_cosine<double> normal_pair(std::uint64_t radius_bits, std::uint64_t angle_bits) {
  double const unit = bits_as<double>(0x3ff0000000000000 | (radius_bits >> 12)) - (1 - 0x1p-53);  // exact
  double const radius = rounded_sqrt(-2 * log_of_unit(unit));
  std::uint64_t const turn = angle_bits >> 12, quarters = (turn + (std::uint64_t(1) << 49)) >> 50;
  double const rest = bits_as<double>(0x4338000000000000 + (turn - (quarters << 50))) - 0x1.8p52;  // exact, of 2^50 in a quarter
  auto const at = turned(near_zero(rest * 1.3951473992034527e-15), quarters & 3);
  return {radius * at.sine, radius * at.cosine};
}

}  // namespace dolmen::detail
