// Reductions and scans of blocks with Dolmen's operators other than the sums of block_sums.cpp.
#include "checks.hpp"

using namespace test_warps;
using testing::random_values;

namespace {

/// Around 1, so that products of a thousand stay finite.
template <class T>
std::vector<T> near_one(index_t n) {
  auto v = random_values<T>(n, 3);
  for (auto& x : v) x = T(1) + x / T(64);
  return v;
}

}  // namespace

TEST_CASE_TEMPLATE("block: other operators of numbers", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_block<B, block_shape<64>>(s, random_values<std::int64_t>(192), std::int64_t(1) << 40, maximum{});
  check_block<B, block_shape<32, 8>>(s, random_values<std::int32_t>(768), std::int32_t(-1), minimum{});
  check_block<B, block_shape<1000>>(s, random_values<std::uint32_t>(3000), 5u, bit_xor{});
  check_block<B, block_shape<100>>(s, near_one<float>(count_of<block_shape<100>>), 1.5f, multiplies{});
  check_block<B, block_shape<5, 3, 7>>(s, random_values<std::uint8_t>(315), std::uint8_t(3), plus{});
  check_block<B, block_shape<64>>(s, halves(count_of<block_shape<64>>), half(0.5f), plus{});
}
