// Reductions of more elements than 31 bits count (on a GPU: than 32). Labelled slow.
#include "large.hpp"

using namespace dolmen;
using testing::many;

TEST_CASE_TEMPLATE("large: reductions", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = many<B>;
  buffer<std::int8_t, B> b(s, n);
  fill(s, b, std::int8_t(1));
  CHECK(product(s, b) == 1);
  CHECK(count_nonzero(s, b) == n);
  CHECK(all_of(s, b));
  CHECK(dot(s, b, b) == n);
  CHECK(argmin(s, b) == 0);
  fill(s, b.view().slice(n - 3, 1), std::int8_t(-5));
  fill(s, b.view().slice(n - 100, 1), std::int8_t(7));
  CHECK(argmin(s, b) == n - 3);
  CHECK(argmax(s, b.view().slice(1, n - 1)) == n - 101);  // misaligned
  CHECK(minmax_of(s, b) == min_max<std::int8_t>{-5, 7});
  CHECK(sum(s, b) == n);
  fill(s, b, std::int8_t(0));
  CHECK(!any_of(s, b));
  fill(s, b.view().slice(n - 1, 1), std::int8_t(1));
  CHECK(any_of(s, b));
}

TEST_CASE_TEMPLATE("large: reductions along rows and columns", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t columns : {index_t(1) << 20, index_t(3)}) {
    index_t const rows = many<B> / columns;
    buffer<std::int8_t, B> b(s, rows * columns);
    fill(s, b, std::int8_t(2));
    buffer<std::int64_t, B> of_rows(s, rows), of_columns(s, columns);
    reduce_rows(s, b.view(rows, columns), of_rows);
    reduce_columns(s, b.view(rows, columns), of_columns);
    CHECK(minmax_of(s, of_rows) == min_max<std::int64_t>{2 * columns, 2 * columns});
    CHECK(minmax_of(s, of_columns) == min_max<std::int64_t>{2 * rows, 2 * rows});
  }
}
