// Reductions and scans of blocks with operators of a user's own: their order, and that lanes which are not there are no operand.
#include "checks.hpp"

using namespace test_warps;

namespace {

template <class B, class Shape>
void check_strict(typename B::stream const& s) {
  without_complaints<B>(s, [&](view<int> complaints) { check_block<B, Shape>(s, runs<Shape>(), before_all, strict_join{complaints}); });
}
template <class B, class Shape, int Words>
void check_sets(typename B::stream const& s) {
  without_complaints<B>(s, [&](view<int> complaints) {
    check_block<B, Shape>(s, single_sets<Shape, Words>(), last_number<Words>(), strict_union<Words>{complaints});
  });
}

}  // namespace

TEST_CASE_TEMPLATE("block: operators that are not commutative see the threads in order", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_block<B, block_shape<256>>(s, matrices(count_of<block_shape<256>>), matrix{1, 2, 3, 4}, matrix_product{});
  check_block<B, block_shape<5, 3, 7>>(s, matrices(count_of<block_shape<5, 3, 7>>), matrix{1, 2, 3, 4}, matrix_product{});
  check_block<B, block_shape<1024>>(s, maps(count_of<block_shape<1024>>), affine{3, 4}, first_then{});
  check_block<B, block_shape<31>>(s, testing::random_values<float>(count_of<block_shape<31>>), 0.5f, ordered_plus{});
  check_block<B, block_shape<32, 8>>(s, testing::random_values<float>(count_of<block_shape<32, 8>>), 0.5f, ordered_plus{});
}

TEST_CASE_TEMPLATE("block: only what is there is an operand, neighbours in order", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_strict<B, block_shape<1>>(s);
  check_strict<B, block_shape<33>>(s);
  check_strict<B, block_shape<96>>(s);
  check_strict<B, block_shape<100>>(s);
  check_strict<B, block_shape<1000>>(s);
  check_strict<B, block_shape<1024>>(s);
}

TEST_CASE_TEMPLATE("block: only what is there is an operand, each once", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_sets<B, block_shape<31>, 5>(s);
  check_sets<B, block_shape<96>, 5>(s);
  check_sets<B, block_shape<100>, 5>(s);
  check_sets<B, block_shape<256>, 12>(s);
}
