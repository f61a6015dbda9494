// Scans with the library's own operators: all sizes of types of 32 and 64 bits.
#include "scan_checks.hpp"

using namespace test_scans;

TEST_CASE_TEMPLATE("scan: all sizes, float and int32", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, float>();
  ladder_of<B, std::int32_t>();
}
TEST_CASE_TEMPLATE("scan: all sizes, double and 64 bits", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, double>();
  ladder_of<B, std::int64_t>();
  ladder_of<B, std::uint64_t>();
}

TEST_CASE_TEMPLATE("scan: more tiles than a GPU joins at once", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of((1 << 22) + 5, 5000);
  whole<B, float>(s, n, {0, 0}, plus{}, sums{});
  whole<B, std::int32_t>(s, n, {3, 0}, plus{}, sums{});
  whole<B, std::int64_t>(s, n / 4, {0, 0}, maximum{}, maximum{});
}
