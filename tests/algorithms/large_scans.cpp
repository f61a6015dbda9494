// Scans, selections and histograms of more elements than 31 bits count (on a GPU: than 32). Labelled slow.
#include "large.hpp"

using namespace dolmen;
using testing::many;

TEST_CASE_TEMPLATE("large: scan of bytes, in place", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::int8_t, B> b(s, n);
  fill(s, b, std::int8_t(1));
  inclusive_scan(s, b, b);  // 1, 2, ... modulo 256
  for (index_t first : {index_t(0), n / 2, n - 1000}) {
    auto const got = download(s, b.view().slice(first, 1000));
    for (index_t i = 0; i < 1000; ++i) REQUIRE(got[std::size_t(i)] == static_cast<std::int8_t>(first + i + 1));
  }
  CHECK(sum(s, b) == -(n / 256) * 128 + (n % 256) * (n % 256 + 1) / 2 - (n % 256 >= 128 ? (n % 256 - 127) * 256 : 0));
}

TEST_CASE_TEMPLATE("large: compact", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::int8_t, B> values(s, n), out(s, n);
  fill(s, values, std::int8_t(3));
  fill(s, out, std::int8_t(0));
  CHECK(compact(s, values, values, out) == n);
  CHECK(sum(s, out) == 3 * n);
  fill(s, values.view().slice(1, n - 2), std::int8_t(0));
  fill(s, values.view().slice(n - 1, 1), std::int8_t(7));
  CHECK(compact(s, values, values, out) == 2);
  CHECK(download(s, out.view().slice(0, 3)) == std::vector<std::int8_t>{3, 7, 3});
}

TEST_CASE_TEMPLATE("large: histogram", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::int8_t, B> keys(s, n);
  fill(s, keys, std::int8_t(-5));
  fill(s, keys.view().slice(n - 7, 7), std::int8_t(100));
  buffer<index_t, B> counts(s, 256);
  histogram(s, keys, counts);
  auto const got = download(s, counts);
  CHECK(got[128 - 5] == n - 7);
  CHECK(got[228] == 7);
}

#if DOLMEN_HAS_CUDA  // a CPU would take minutes
TEST_CASE_TEMPLATE("large: sort", B, dolmen::cuda::backend) {
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::int8_t, B> keys(s, n);
  fill(s, keys, std::int8_t(5));
  fill(s, keys.view().slice(n / 2, 1000), std::int8_t(-1));
  fill(s, keys.view().slice(n - 10, 10), std::int8_t(-2));
  sort(s, keys);
  CHECK(download(s, keys.view().slice(0, 11)) == std::vector<std::int8_t>{-2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -1});
  CHECK(download(s, keys.view().slice(1009, 2)) == std::vector<std::int8_t>{-1, 5});
  CHECK(sum(s, keys) == 5 * (n - 1010) - 1000 - 20);
}
#endif
