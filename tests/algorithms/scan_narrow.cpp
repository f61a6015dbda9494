// Scans with the library's own operators: all sizes of narrow types, and sums in wider ones.
#include "scan_checks.hpp"

using namespace test_scans;

TEST_CASE_TEMPLATE("scan: all sizes, 8 and 16 bits", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, std::int8_t>();
  ladder_of<B, std::uint8_t>();
  ladder_of<B, std::int16_t>();
  ladder_of<B, std::uint16_t>();
}
TEST_CASE_TEMPLATE("scan: all sizes, half and bfloat16, uint32", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, half>();
  ladder_of<B, bfloat16>();
  ladder_of<B, std::uint32_t>();
}

TEST_CASE_TEMPLATE("scan: sums in a wider type", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  widening<B, std::int8_t, std::int64_t>(s);
  widening<B, std::int16_t, std::int64_t>(s);
  widening<B, std::int32_t, std::int64_t>(s);
  widening<B, std::uint8_t, std::uint64_t>(s);
  widening<B, std::uint16_t, std::uint64_t>(s);
  widening<B, std::uint32_t, std::uint64_t>(s);
  widening<B, float, double>(s);
  widening<B, half, float>(s);
  widening<B, bfloat16, float>(s);
  widening<B, char, long long>(s);
}
