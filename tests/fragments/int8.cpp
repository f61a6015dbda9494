// Products of int8 into int32: every shape, every layout; sums wrap.
#include "product.hpp"

using namespace test_fragments;

namespace {
constexpr auto R = layout::row_major, C = layout::column_major;
using square = mma_shape<16, 16, 16>;
using tall = mma_shape<32, 8, 16>;
using flat = mma_shape<8, 32, 16>;
}  // namespace

TEST_CASE_TEMPLATE("fragments: int8, modulo 2^32", B, DOLMEN_TEST_BACKENDS) {
  exact<B, std::int8_t, square, R, R, R>();
  exact<B, std::int8_t, square, C, C, C>();
  exact<B, std::int8_t, tall, R, C, C>();
  exact<B, std::int8_t, flat, C, R, R>();
}
