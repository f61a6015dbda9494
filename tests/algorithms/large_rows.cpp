// Matrices of more elements than 31 bits count (on a GPU: than 32). Labelled slow.
#include <cmath>

#include "large.hpp"

using namespace dolmen;
using testing::columns;
using testing::rows;

TEST_CASE_TEMPLATE("large: transpose", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const r = rows<B>, c = columns<B>;
  REQUIRE(r * c > (index_t(1) << testing::large_bits<B>));
  buffer<std::uint8_t, B> a(s, r * c), b(s, r * c);
  fill(s, a, std::uint8_t(1));
  fill(s, b, std::uint8_t(0));
  fill(s, a.view(r, c).subview({{r - 2, 0}}, {{1, c}}), std::uint8_t(3));
  fill(s, a.view(r, c).subview({{0, c - 1}}, {{r, 1}}), std::uint8_t(5));
  transpose(s, a.view(r, c), b.view(c, r));
  CHECK(sum(s, b) == std::uint64_t((r - 1) * (c - 1) + 3 * (c - 1) + 5 * r));
  CHECK(sum(s, b.view(c, r).subview({{c - 1, 0}}, {{1, r}})) == std::uint64_t(5 * r));
  CHECK(sum(s, b.view(c, r).subview({{0, r - 2}}, {{c, 1}})) == std::uint64_t(3 * (c - 1) + 5));
  // In place, and back.
  auto const square = b.view(c, c);
  fill(s, square, std::uint8_t(2));
  fill(s, square.row(c - 1), std::uint8_t(7));
  transpose(s, square);
  CHECK(sum(s, square.subview({{0, c - 1}}, {{c, 1}})) == std::uint64_t(7 * c));
  CHECK(sum(s, square) == std::uint64_t(2 * c * (c - 1) + 7 * c));
}

#if DOLMEN_HAS_CUDA
TEST_CASE_TEMPLATE("large: softmax and layer norm in place", B, dolmen::cuda::backend) {
  typename B::stream s;
  index_t const r = rows<B>, c = columns<B>;
  buffer<float, B> a(s, r * c);
  fill(s, a, 2.0f);
  softmax(s, a.view(r, c), a.view(r, c));
  CHECK(std::fabs(sum<double>(s, a) - double(r)) < 1e-4 * double(r));
  fill(s, a, 2.0f);
  layer_norm(s, a.view(r, c), a.view(r, c));
  CHECK(sum<double>(s, a) == 0);
}

TEST_CASE_TEMPLATE("large: stencil", B, dolmen::cuda::backend) {
  typename B::stream s;
  index_t const r = rows<B>, c = columns<B>;
  buffer<float, B> a(s, r * c), b(s, r * c);
  fill(s, a, 1.0f);
  fill(s, b, 0.0f);
  stencil(s, a.view(r, c), b.view(r, c), stencil_weights<2>::star(0.5, 0.125), boundary::periodic);
  CHECK(sum<double>(s, b) == double(r * c));
  stencil(s, a.view(2, r / 2, c), b.view(2, r / 2, c), stencil_weights<3>::box(1, 0, 0, 1), boundary::reflect);
  CHECK(sum<double>(s, b) == 9 * double(r / 2 * 2 * c));
}
#endif
