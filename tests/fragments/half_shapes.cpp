// Products of half, the other shapes.
#include "product.hpp"

using namespace test_fragments;

namespace {
constexpr auto R = layout::row_major, C = layout::column_major;
using tall = mma_shape<32, 8, 16>;
using flat = mma_shape<8, 32, 16>;
}  // namespace

TEST_CASE_TEMPLATE("fragments: half, other shapes, whole numbers, the same bits everywhere", B, DOLMEN_TEST_BACKENDS) {
  exact<B, half, tall, R, R, C>();
  exact<B, half, tall, C, C, R>();
  exact<B, half, flat, R, C, C>();
  exact<B, half, flat, C, R, R>();
}

TEST_CASE_TEMPLATE("fragments: half, other shapes, any numbers, within the documented bound", B, DOLMEN_TEST_BACKENDS) {
  within_bound<B, half, flat, R, C, C>();
  within_bound<B, half, flat, C, R, R>();
}
