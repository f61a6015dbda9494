// Values at the edges of their types: how tf32 is rounded, infinities, NaN, subnormal halves.
#include <cmath>

#include "../backends.hpp"

#include <dolmen/core/fragment.hpp>

#include "../support/guarded.hpp"
#include "product.hpp"

namespace test_fragments {

/// out = A B for one 16 x 16 fragment (of whatever depth).
template <class T>
struct one_product {
  using shape = block_shape<32>;
  using stored = typename matrix_a<T>::value_type;
  view<stored const, 2> a, b;
  view<float, 2> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      fragment<Block, matrix_a<T>> left;
      fragment<Block, matrix_b<T>> right;
      fragment<Block, accumulator<T>> sum{};
      warp.load(left, a, 0, 0);
      warp.load(right, b, 0, 0);
      warp.mma(sum, left, right);
      warp.store(out, 0, 0, sum);
    });
  }
};

/// a[i] * b[i] for up to 16 pairs, each alone in its row and column: what else is added is 0 * 0, in its own place of the diagonal.
template <class B, class T, class E>
std::vector<float> products(std::vector<E> const& a, std::vector<E> const& b) {
  constexpr int depth = matrix_a<T>::columns;
  typename B::stream s;
  std::vector<E> left(16 * depth, static_cast<E>(0.0f)), right(depth * 16, static_cast<E>(0.0f));
  for (std::size_t i = 0; i < a.size(); ++i) {
    left[i * depth + i % depth] = a[i];
    right[i % depth * 16 + i] = b[i];
  }
  guarded<E, B, 2> da(s, {{16, depth}}, left), db(s, {{depth, 16}}, right);
  guarded<float, B, 2> out(s, {{16, 16}});
  launch(s, grid(1), one_product<T>{da.const_view(), db.const_view(), out.view()});
  auto const all = out.values();
  CHECK(out.intact());
  std::vector<float> diagonal(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) diagonal[i] = all[i * 16 + i];
  return diagonal;
}

}  // namespace test_fragments

using namespace test_fragments;

TEST_CASE_TEMPLATE("fragments: tf32 is rounded when loaded, to nearest, ties away from zero", B, DOLMEN_TEST_BACKENDS) {
  float const tie = 1 + 0x1p-11f, inf = std::numeric_limits<float>::infinity();
  std::vector<float> const a{tie,
                             -tie,
                             std::nextafter(tie, 0.0f),
                             std::nextafter(tie, 2.0f),
                             1 + 3 * 0x1p-11f,
                             -1 - 3 * 0x1p-11f,
                             2 - 0x1p-11f,
                             2 - 0x1p-23f,
                             0x1.ffcp10f,
                             -0x1.002p-20f,
                             std::numeric_limits<float>::max(),
                             inf,
                             -inf,
                             testing::quiet_nan<float>,
                             0.1f,
                             -1e30f};
  std::vector<float> const ones(a.size(), 1.0f);
  auto const left = products<B, tf32>(a, ones), right = products<B, tf32>(ones, a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(a[i]);
    if (std::isnan(a[i])) {
      CHECK(std::isnan(left[i]));
      CHECK(std::isnan(right[i]));
      continue;
    }
    float const expected = i == 10 ? inf : float(tf32_reference(a[i]));  // the greatest float is rounded up
    CHECK(left[i] == expected);
    CHECK(right[i] == expected);
  }
  CHECK(left[0] == 1 + 0x1p-10f);
  CHECK(left[1] == -1 - 0x1p-10f);
  CHECK(left[2] == 1);
}

TEST_CASE_TEMPLATE("fragments: infinities and NaN go through a product", B, DOLMEN_TEST_BACKENDS) {
  float const inf = std::numeric_limits<float>::infinity();
  std::vector<half> const a{half(inf), half(-inf), half(inf), half(0), half(testing::quiet_nan<float>), half(2)};
  std::vector<half> const b{half(2), half(3), half(-inf), half(inf), half(1), half(testing::quiet_nan<float>)};
  auto const d = products<B, half>(a, b);
  CHECK(d[0] == inf);
  CHECK(d[1] == -inf);
  CHECK(d[2] == -inf);
  CHECK(std::isnan(d[3]));
  CHECK(std::isnan(d[4]));
  CHECK(std::isnan(d[5]));
}

TEST_CASE_TEMPLATE("fragments: subnormal halves are kept, and products are exact", B, DOLMEN_TEST_BACKENDS) {
  auto const bits = [](unsigned b) { return half::from_bits(std::uint16_t(b)); };
  std::vector<half> const a{bits(1), bits(0x3ff), bits(0x8001), bits(1), half(65504), half(1 + 0x1p-10), half(0x1.ffcp-1), bits(0x0400)};
  std::vector<half> const b{half(1), half(3), half(1024), bits(1), half(65504), half(1 + 0x1p-10), half(0x1.ffcp-1), bits(0x83ff)};
  auto const d = products<B, half>(a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(double(d[i]) == double(float(a[i])) * double(float(b[i])));
  }
}
