// Products of half, 16 x 16 x 16.
#include "product.hpp"

using namespace test_fragments;

namespace {
constexpr auto R = layout::row_major, C = layout::column_major;
using square = mma_shape<16, 16, 16>;
}  // namespace

TEST_CASE_TEMPLATE("fragments: half, whole numbers, the same bits everywhere", B, DOLMEN_TEST_BACKENDS) {
  exact<B, half, square, R, R, R>();
  exact<B, half, square, C, C, C>();
  exact<B, half, square, R, C, R>();
  exact<B, half, square, C, R, C>();
}

TEST_CASE_TEMPLATE("fragments: half, any numbers, within the documented bound", B, DOLMEN_TEST_BACKENDS) {
  within_bound<B, half, square, R, R, R>();
}
