// Every float there is, to half and to bfloat16: the conversion of the backend (on a GPU its own instruction), the library's
// software, and a reference in integers.
#include "../backends.hpp"

#include "../support/data.hpp"

using namespace dolmen;

namespace test_half_exhaustive {

/// Rounds the bits of a float to nearest even: Digits significant bits, normal numbers from 2^Least, infinity from 2^(Most + 1).
template <int Digits, int Least, int Most>
DOLMEN_FN constexpr std::uint16_t reference(std::uint32_t bits) {
  std::uint32_t const sign = bits >> 31 << 15, field = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
  if (field == 0xff && fraction != 0) return 0x7fff;
  std::uint32_t const infinity = std::uint32_t(Most - Least + 2) << (Digits - 1);
  int const exponent = field == 0 ? -126 : int(field) - 127;
  if (exponent > Most) return std::uint16_t(sign | infinity);
  // The number is significand * 2^(exponent - 23); the last bit of the result is worth 2^(unit).
  std::uint32_t const significand = field == 0 ? fraction : fraction | 0x800000;
  int const base = exponent < Least ? Least : exponent, drop = 24 - Digits + base - exponent;
  if (drop > 25) return std::uint16_t(sign);
  std::uint32_t count = significand >> drop;
  std::uint32_t const rest = significand - (count << drop), half_unit = std::uint32_t(1) << (drop - 1);
  if (rest > half_unit || (rest == half_unit && (count & 1) != 0)) ++count;
  // Adding lets a full count move on into the exponent, up to infinity.
  std::uint32_t const leading = std::uint32_t(1) << (Digits - 1);
  std::uint32_t const magnitude = count < leading ? count : count + std::uint32_t(base - Least) * leading;
  return std::uint16_t(sign | magnitude);
}
static_assert(reference<11, -14, 15>(0x3f800000) == 0x3c00 && reference<11, -14, 15>(0x477ff000) == 0x7c00);
static_assert(reference<8, -126, 127>(0x3f800000) == 0x3f80 && reference<8, -126, 127>(0x00018000) == 0x0002);

struct mismatches {
  static constexpr index_t each = 4096;
  view<std::int32_t> found;
  DOLMEN_FN void operator()(index_t i) const {
    std::int32_t wrong = 0;
    for (index_t k = 0; k < each; ++k) {
      auto const bits = static_cast<std::uint32_t>(i * each + k);
      float const f = __builtin_bit_cast(float, bits);
      std::uint16_t const h = reference<11, -14, 15>(bits), b = reference<8, -126, 127>(bits);
      wrong += (half(f).bits() != h) + (bfloat16(f).bits() != b);
      wrong += (types::binary16::software_round(f) != h) + (types::upper_half::software_round(f) != b);
    }
    found(i) = wrong;
  }
};

}  // namespace test_half_exhaustive

TEST_CASE_TEMPLATE("half: all floats", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = (index_t(1) << 32) / test_half_exhaustive::mismatches::each;
  buffer<std::int32_t, B> found(s, n);
  for_each_index(s, n, test_half_exhaustive::mismatches{found.view()});
  CHECK(sum(s, found) == 0);
}
