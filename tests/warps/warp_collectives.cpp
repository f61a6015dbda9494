// Reductions and scans of warps and of their segments, at block scope and at warp scope.
#include "checks.hpp"

using namespace test_warps;
using testing::random_values;

namespace {

template <class B, class Shape, int W>
void check_strict(typename B::stream const& s) {
  without_complaints<B>(
      s, [&](view<int> complaints) { check_warps<B, Shape, W>(s, runs_of_warps<W, Shape>(), before_all, strict_join{complaints}); });
}
template <class B, class Shape, int W, int Words>
void check_sets(typename B::stream const& s) {
  without_complaints<B>(s, [&](view<int> complaints) {
    check_warps<B, Shape, W>(s, single_sets<Shape, Words>(), last_number<Words>(), strict_union<Words>{complaints});
  });
}

}  // namespace

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

TEST_CASE_TEMPLATE("warps: a user's operators, in order", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_warps<B, block_shape<100>, 8>(s, matrices(300), matrix{1, 2, 3, 4}, matrix_product{});
  check_warps<B, block_shape<33>, 16>(s, maps(99), affine{3, 4}, first_then{});
  check_warps<B, block_shape<96>, 2>(s, maps(288), affine{3, 4}, first_then{});
}

TEST_CASE_TEMPLATE("warps: only what is there is an operand", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_strict<B, block_shape<33>, 32>(s);
  check_strict<B, block_shape<100>, 32>(s);
  check_sets<B, block_shape<31>, 4, 5>(s);
  check_sets<B, block_shape<100>, 16, 5>(s);
  check_sets<B, block_shape<256>, 8, 12>(s);
}
