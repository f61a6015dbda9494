// Products of uint8 into int32: every shape, every layout; sums wrap.
#include "product.hpp"

using namespace test_fragments;

namespace {
constexpr auto R = layout::row_major, C = layout::column_major;
using square = mma_shape<16, 16, 16>;
using tall = mma_shape<32, 8, 16>;
using flat = mma_shape<8, 32, 16>;
}  // namespace

TEST_CASE_TEMPLATE("fragments: uint8, modulo 2^32", B, DOLMEN_TEST_BACKENDS) {
  exact<B, std::uint8_t, square, R, C, R>();
  exact<B, std::uint8_t, square, C, R, C>();
  exact<B, std::uint8_t, tall, C, C, R>();
  exact<B, std::uint8_t, flat, R, R, C>();
}
