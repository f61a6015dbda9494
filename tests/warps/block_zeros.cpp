// Minimum and maximum of numbers that compare equal or not at all.
#include <cmath>

#include "checks.hpp"

using namespace test_warps;
using testing::random_values;

namespace {

/// Numbers that compare equal but differ in their bits, and a NaN here and there.
template <class T>
std::vector<T> awkward(index_t n, bool with_nan) {
  auto v = random_values<T>(n, 4);
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i % 3 != 0) v[i] = i % 5 < 2 ? T(0) : -T(0);
    if (with_nan && i == v.size() / 2) v[i] = testing::quiet_nan<T>;
  }
  return v;
}

}  // namespace

TEST_CASE_TEMPLATE("block: minimum and maximum tell zeros apart and keep a NaN", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (bool nan : {false, true}) {
    check_block<B, block_shape<256>>(s, awkward<float>(count_of<block_shape<256>>, nan), 0.25f, minimum{});
    check_block<B, block_shape<33>>(s, awkward<double>(count_of<block_shape<33>>, nan), -0.25, maximum{});
  }
  // Not by the reference's use of the same operator:
  std::vector<float> zeros(3 * 256, 0.0f);
  zeros[77] = -0.0f;
  guarded<float, B> in(s, zeros);
  guarded<float, B, 2> out(s, extents<2>{{5, 3 * 256}});
  launch(s, grid(3), block_collectives<block_shape<256>, float, minimum>{{}, 0.25f, in.view(), out.view()});
  auto seen = out.values();
  CHECK(std::signbit(seen[0]));
  CHECK(!std::signbit(seen[300]));
  zeros[300] = testing::quiet_nan<float>;
  in.set(zeros);
  launch(s, grid(3), block_collectives<block_shape<256>, float, minimum>{{}, 0.25f, in.view(), out.view()});
  seen = out.values();
  CHECK(!std::isnan(seen[0]));
  CHECK(std::isnan(seen[256]));
  CHECK(std::isnan(seen[511]));
}
