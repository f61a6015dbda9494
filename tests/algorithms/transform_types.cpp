#include "transform.hpp"

using namespace transform_tests;

TEST_CASE_TEMPLATE("transform: every number type", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_all<std::int16_t, B, weighted, std::uint8_t, std::int8_t>(s, {});
  check_all<std::uint32_t, B, twice_plus_one, std::uint16_t>(s, {});
  check_all<std::int64_t, B, twice_plus_one, std::int64_t>(s, {});
  check_all<half, B, twice_plus_one, half>(s, {});
  check_all<bfloat16, B, weighted, bfloat16, half>(s, {});
  check_all<double, B, twice_plus_one, double>(s, {});
}
