// Products of bfloat16: every shape, every layout at least once.
#include "product.hpp"

using namespace test_fragments;

namespace {
constexpr auto R = layout::row_major, C = layout::column_major;
using square = mma_shape<16, 16, 16>;
using tall = mma_shape<32, 8, 16>;
using flat = mma_shape<8, 32, 16>;
}  // namespace

TEST_CASE_TEMPLATE("fragments: bfloat16, whole numbers, the same bits everywhere", B, DOLMEN_TEST_BACKENDS) {
  exact<B, bfloat16, square, R, C, C>();
  exact<B, bfloat16, square, C, R, R>();
  exact<B, bfloat16, tall, R, C, R>();
  exact<B, bfloat16, tall, C, R, C>();
  exact<B, bfloat16, flat, R, R, R>();
  exact<B, bfloat16, flat, C, C, C>();
}

TEST_CASE_TEMPLATE("fragments: bfloat16, any numbers, within the documented bound", B, DOLMEN_TEST_BACKENDS) {
  within_bound<B, bfloat16, square, R, C, C>();
  within_bound<B, bfloat16, flat, R, R, R>();
  within_bound<B, bfloat16, flat, C, C, C>();
}
