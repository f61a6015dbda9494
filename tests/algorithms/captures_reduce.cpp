// Reductions: captured and run again.
#include "captures.hpp"

using namespace dolmen;
using testing::as_bool;
using testing::check_repeated;
using testing::repeated_sizes;

TEST_CASE_TEMPLATE("repeated: sums, products and extremes", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes()) {
    check_repeated<B, std::int32_t, std::int64_t>(n, 1, [](auto const& s, auto in, auto out) { sum(s, in, out); });
    check_repeated<B, float, double>(n, 1, [](auto const& s, auto in, auto out) { sum(s, in, out); });
    check_repeated<B, std::int32_t, std::int64_t>(n, 1, [](auto const& s, auto in, auto out) {
      buffer<std::int32_t, B> odd(s, in.size());  // whose product is not 0
      fill(s, odd, 1);
      axpy(s, 2, in, odd);
      product(s, odd, out);
    });
    check_repeated<B, float, float>(n, 1, [](auto const& s, auto in, auto out) { min_of(s, in, out); });
    check_repeated<B, half, half>(n, 1, [](auto const& s, auto in, auto out) { max_of(s, in, out); });
    check_repeated<B, float, min_max<float>>(n, 1, [](auto const& s, auto in, auto out) { minmax_of(s, in, out); });
    check_repeated<B, float, index_t>(n, 1, [](auto const& s, auto in, auto out) { argmin(s, in, out); });
    check_repeated<B, std::int8_t, index_t>(n, 1, [](auto const& s, auto in, auto out) { argmax(s, in, out); });
    check_repeated<B, float, double>(n, 1, [](auto const& s, auto in, auto out) { dot(s, in, in, out); });
    check_repeated<B, std::int32_t, index_t>(n, 1, [](auto const& s, auto in, auto out) { count_nonzero(s, in, out); });
    check_repeated<B, std::int32_t, std::uint8_t>(n, 1, [](auto const& s, auto in, auto out) { all_of(s, in, as_bool(out)); });
    check_repeated<B, float, std::uint8_t>(n, 1, [](auto const& s, auto in, auto out) {
      buffer<std::int32_t, B> above(s, 16);
      histogram(s, in, above, 10.0f, 100.0f);
      any_of(s, above, as_bool(out));
    });
  }
}

TEST_CASE_TEMPLATE("repeated: reductions along rows and columns", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes())
    for (index_t rows : {index_t(4), n / 4}) {  // long ones, and many
      index_t const columns = n / rows;
      auto const matrix = [=](auto in) { return view<typename decltype(in)::element, 2>(in.data(), rows, columns); };
      check_repeated<B, float, float>(n, rows, [=](auto const& s, auto in, auto out) { reduce_rows(s, matrix(in), out); });
      check_repeated<B, float, float>(n, columns, [=](auto const& s, auto in, auto out) { reduce_columns(s, matrix(in), out); });
      check_repeated<B, float, float>(n, columns,
                                      [=](auto const& s, auto in, auto out) { reduce_columns(s, matrix(in), out, minimum{}, 100.0f); });
      check_repeated<B, float, index_t>(n, rows, [=](auto const& s, auto in, auto out) { argmin_rows(s, matrix(in), out); });
      check_repeated<B, float, index_t>(n, rows, [=](auto const& s, auto in, auto out) { argmax_rows(s, matrix(in), out); });
    }
}
