// Reductions and scans of warps and of their segments, at block scope and at warp scope.
#include "checks.hpp"

using namespace test_warps;
using testing::random_values;

TEST_CASE_TEMPLATE("warps: numbers, bits as documented, in segments of every width", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_warps<B, block_shape<100>, 2>(s, random_values<float>(300), 0.5f, plus{});
  check_warps<B, block_shape<33>, 4>(s, random_values<std::uint8_t>(99), std::uint8_t(9), plus{});
  check_warps<B, block_shape<64>, 8>(s, random_values<double>(192), 0.5, plus{});
  check_warps<B, block_shape<1000>, 16>(s, random_values<float>(3000), 0.5f, plus{});
  check_warps<B, block_shape<1000>, 32>(s, random_values<float>(3000), 0.5f, plus{});
  check_warps<B, block_shape<32>, 32>(s, random_values<std::int64_t>(96), std::int64_t(-1), minimum{});
}

TEST_CASE_TEMPLATE("warps: the instructions of 32-bit integers", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  using shape = block_shape<100>;
  check_warps<B, shape, 32>(s, random_values<std::int32_t>(300), std::int32_t(3), plus{});
  check_warps<B, shape, 32>(s, random_values<std::int32_t>(300), std::int32_t(3), minimum{});
  check_warps<B, shape, 32>(s, random_values<std::int32_t>(300), std::int32_t(3), maximum{});
  check_warps<B, shape, 32>(s, random_values<std::uint32_t>(300), 3u, minimum{});
  check_warps<B, shape, 32>(s, random_values<std::uint32_t>(300), 3u, maximum{});
  auto sparse = random_values<std::uint32_t>(300, 1), dense = sparse;
  for (std::size_t i = 0; i < 300; ++i) sparse[i] = 1u << (sparse[i] % 32), dense[i] = ~sparse[i];
  check_warps<B, shape, 32>(s, sparse, 3u, bit_or{});
  check_warps<B, shape, 32>(s, dense, ~3u, bit_and{});
  check_warps<B, shape, 32>(s, sparse, 3u, bit_xor{});
}
