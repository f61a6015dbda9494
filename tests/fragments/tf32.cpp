// Products of tf32: every layout.
#include "product.hpp"

using namespace test_fragments;

namespace {
constexpr auto R = layout::row_major, C = layout::column_major;
using single = mma_shape<16, 16, 8>;
}  // namespace

TEST_CASE_TEMPLATE("fragments: tf32, whole numbers, the same bits everywhere", B, DOLMEN_TEST_BACKENDS) {
  exact<B, tf32, single, R, R, R>();
  exact<B, tf32, single, C, C, C>();
  exact<B, tf32, single, R, C, R>();
  exact<B, tf32, single, C, R, C>();
}

TEST_CASE_TEMPLATE("fragments: tf32, any numbers, within the documented bound", B, DOLMEN_TEST_BACKENDS) {
  within_bound<B, tf32, single, R, R, R>();
  within_bound<B, tf32, single, C, R, C>();
}
