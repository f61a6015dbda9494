// More elements than 31 bits count (on a GPU: than 32), each extent alone being small. Labelled slow.
#include "large.hpp"

using namespace dolmen;
using testing::columns;
using testing::many;
using testing::rows;

TEST_CASE_TEMPLATE("large: fill and sum", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::uint8_t, B> b(s, n);
  fill(s, b, std::uint8_t(1));
  CHECK(sum(s, b) == std::uint64_t(n));
  fill(s, b.view().slice(1, n - 2), std::uint8_t(2));  // misaligned
  CHECK(sum(s, b) == std::uint64_t(2 * n - 2));
  CHECK(sum(s, b.view().slice(n - 2, 2)) == 3);
}

TEST_CASE_TEMPLATE("large: negative values do not wrap", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<std::int8_t, B> b(s, many<B>);
  fill(s, b, std::int8_t(-1));
  CHECK(sum(s, b) == -many<B>);
}

TEST_CASE_TEMPLATE("large: strided rows", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const r = rows<B>, c = columns<B>;
  REQUIRE(r * c > (index_t(1) << testing::large_bits<B>));
  buffer<std::uint8_t, B> b(s, r * c);
  fill(s, b, std::uint8_t(1));
  auto const inner = b.view(r, c).subview({{0, 1}}, {{r, c - 2}});
  fill(s, inner, std::uint8_t(3));
  CHECK(sum(s, inner) == std::uint64_t(3 * r * (c - 2)));
  CHECK(sum(s, b) == std::uint64_t(r * (3 * (c - 2) + 2)));
}

TEST_CASE_TEMPLATE("large: copies", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const r = rows<B>, c = columns<B>;
  buffer<std::uint8_t, B> a(s, r * c), b(s, r * c);
  fill(s, a, std::uint8_t(3));
  fill(s, a.view().slice(r * c - 100, 100), std::uint8_t(5));
  fill(s, b, std::uint8_t(0));
  copy(s, a, b);
  CHECK(sum(s, b) == std::uint64_t(3 * (r * c - 100) + 500));
  fill(s, b, std::uint8_t(0));
  copy(s, a.view(r, c).subview({{0, 7}}, {{r, c - 7}}), b.view(r, c).subview({{0, 0}}, {{r, c - 7}}));
  CHECK(sum(s, b) == std::uint64_t(3 * (r * (c - 7) - 100) + 500));
}
