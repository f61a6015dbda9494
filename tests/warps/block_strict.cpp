// Lanes and warps that are not there are no operand of a block's reductions and scans.
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

TEST_CASE_TEMPLATE("block: only what is there is an operand, neighbours in order", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_strict<B, block_shape<33>>(s);
  check_strict<B, block_shape<96>>(s);
  check_strict<B, block_shape<1000>>(s);
  check_strict<B, block_shape<1024>>(s);
}

TEST_CASE_TEMPLATE("block: only what is there is an operand, each once", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_sets<B, block_shape<31>, 5>(s);
  check_sets<B, block_shape<100>, 5>(s);
  check_sets<B, block_shape<256>, 12>(s);
}
