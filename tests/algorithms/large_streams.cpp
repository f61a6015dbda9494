// transform, iota, axpy, fields and random numbers over more elements than 31 bits count (on a GPU: than 32). Labelled slow.
#include <cmath>

#include "large.hpp"

using namespace dolmen;
using testing::many;

namespace test_large_streams {

struct plus_one {
  DOLMEN_FN std::int8_t operator()(std::int8_t x) const { return static_cast<std::int8_t>(x + 1); }
};

struct letters {
  std::int8_t a, b, c;
};

}  // namespace test_large_streams

TEST_CASE_TEMPLATE("large: transform, in place and of misaligned views", B, DOLMEN_TEST_BACKENDS) {
  using namespace test_large_streams;
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::int8_t, B> a(s, n), b(s, n);
  fill(s, a, std::int8_t(2));
  fill(s, b, std::int8_t(0));
  transform(s, a, b, plus_one{});
  CHECK(sum(s, b) == 3 * n);
  transform(s, b, b, plus_one{});
  CHECK(sum(s, b) == 4 * n);
  transform(s, a.view().slice(0, n - 1), b.view().slice(1, n - 1), plus_one{});
  CHECK(sum(s, b) == 3 * (n - 1) + 4);
  index_t const columns = 60000, rows = n / columns;
  fill(s, b, std::int8_t(0));
  transform(s, a.view(rows, columns).subview({{0, 0}}, {{rows, columns - 3}}),
            b.view(rows, columns).subview({{0, 3}}, {{rows, columns - 3}}), plus_one{});
  CHECK(sum(s, b) == 3 * rows * (columns - 3));
}

TEST_CASE_TEMPLATE("large: iota and axpy", B, DOLMEN_TEST_BACKENDS) {
  using namespace test_large_streams;
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::uint8_t, B> a(s, n), b(s, n);
  iota(s, a);
  std::uint64_t expected = std::uint64_t(n / 256) * (255 * 256 / 2);
  for (index_t i = n / 256 * 256; i < n; ++i) expected += std::uint64_t(i % 256);
  CHECK(sum(s, a) == expected);
  CHECK(download(s, a.view().slice(n - 1, 1))[0] == std::uint8_t(n - 1));
  fill(s, a, std::uint8_t(20));
  fill(s, b, std::uint8_t(5));
  axpy(s, 3, a, b);
  CHECK(sum(s, b) == std::uint64_t(65 * n));
}

TEST_CASE_TEMPLATE("large: records and their members", B, DOLMEN_TEST_BACKENDS) {
  using namespace test_large_streams;
  typename B::stream s;
  index_t const n = many<B>;
  buffer<letters, B> records(s, n);
  buffer<std::int8_t, B> a(s, n), c(s, n);
  fill(s, records, letters{1, 2, 3});
  fill(s, a, std::int8_t(0));
  fill(s, c, std::int8_t(0));
  split_fields(s, records, fields<&letters::a, &letters::c>(a, c));
  CHECK(sum(s, a) == n);
  CHECK(sum(s, c) == 3 * n);
  join_fields(s, fields<&letters::b>(c), records);
  split_fields(s, records, fields<&letters::b, &letters::c>(a, c));
  CHECK(sum(s, a) == 3 * n);
  CHECK(sum(s, c) == 3 * n);
}

TEST_CASE_TEMPLATE("large: random bytes", B, DOLMEN_TEST_BACKENDS) {
  using namespace test_large_streams;
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::int8_t, B> a(s, n);
  fill_uniform(s, a, 9, std::int8_t(-100), std::int8_t(100));
  double const deviation = std::sqrt(double(n) * (201.0 * 201.0 - 1) / 12);
  CHECK(std::fabs(double(sum(s, a))) < 4.5 * deviation);
  // The last elements are those of their place in the sequence.
  buffer<std::int8_t, B> end(s, 1000);
  fill_uniform(s, end, 9, std::int8_t(-100), std::int8_t(100), std::uint64_t(n - 1000));
  CHECK(download(s, end) == download(s, a.view().slice(n - 1000, 1000)));
}
