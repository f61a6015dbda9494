// Sums and scans of blocks of every kind of size.
#include "checks.hpp"

using namespace test_warps;

namespace {

template <class B, class Shape, class T>
void check_sums(typename B::stream const& s, T initial) {
  check_block<B, Shape>(s, testing::random_values<T>(count_of<Shape>), initial, plus{});
}

}  // namespace

TEST_CASE_TEMPLATE("block: sums, bits as documented", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_sums<B, block_shape<1>>(s, 2.5f);
  check_sums<B, block_shape<31>>(s, std::int32_t(7));
  check_sums<B, block_shape<32>>(s, 0.3);
  check_sums<B, block_shape<33>>(s, 2.5f);
  check_sums<B, block_shape<96>>(s, 2.5f);
  check_sums<B, block_shape<1024>>(s, -0.7);
}
