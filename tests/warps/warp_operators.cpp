// Reductions and scans of warps and of their segments with operators of the user's own, and with none but what is there.
#include "checks.hpp"

using namespace test_warps;

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
