// Reductions and scans of blocks with operators of a user's own, in the order of the threads.
#include "checks.hpp"

using namespace test_warps;

TEST_CASE_TEMPLATE("block: operators that are not commutative see the threads in order", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_block<B, block_shape<256>>(s, matrices(count_of<block_shape<256>>), matrix{1, 2, 3, 4}, matrix_product{});
  check_block<B, block_shape<5, 3, 7>>(s, matrices(count_of<block_shape<5, 3, 7>>), matrix{1, 2, 3, 4}, matrix_product{});
  check_block<B, block_shape<1024>>(s, maps(count_of<block_shape<1024>>), affine{3, 4}, first_then{});
  check_block<B, block_shape<31>>(s, testing::random_values<float>(count_of<block_shape<31>>), 0.5f, ordered_plus{});
  check_block<B, block_shape<32, 8>>(s, testing::random_values<float>(count_of<block_shape<32, 8>>), 0.5f, ordered_plus{});
}
