// Products of double: every layout.
#include "product.hpp"

using namespace test_fragments;

namespace {
constexpr auto R = layout::row_major, C = layout::column_major;
using twice = mma_shape<8, 8, 4>;
}  // namespace

TEST_CASE_TEMPLATE("fragments: double, whole numbers, the same bits everywhere", B, DOLMEN_TEST_BACKENDS) {
  exact<B, double, twice, R, R, C>();
  exact<B, double, twice, C, C, R>();
  exact<B, double, twice, R, C, C>();
  exact<B, double, twice, C, R, R>();
}

TEST_CASE_TEMPLATE("fragments: double, any numbers, within the documented bound", B, DOLMEN_TEST_BACKENDS) {
  within_bound<B, double, twice, R, R, C>();
  within_bound<B, double, twice, C, R, R>();
}
