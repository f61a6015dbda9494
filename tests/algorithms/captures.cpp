// Element by element: captured and run again.
#include "captures.hpp"

using namespace dolmen;
using testing::check_repeated;
using testing::repeated_sizes;

namespace test_captures {

struct twice {
  DOLMEN_FN float operator()(float a) const { return 2 * a; }
  DOLMEN_FN float operator()(float a, float b) const { return 2 * a + b; }
  DOLMEN_FN float operator()(float a, float b, float c) const { return 2 * a + b - 3 * c; }
};

struct record {
  std::int32_t a;
  std::int16_t b, c;
};

}  // namespace test_captures

using namespace test_captures;

TEST_CASE_TEMPLATE("repeated: fill and iota", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes())
    check_repeated<B, std::int32_t, std::int32_t>(n, n, [](auto const& s, auto in, auto out) {
      buffer<std::int32_t, B> ones(s, in.size());
      fill(s, ones, 1);
      iota(s, out, 5, 3);
      add(s, ones, out, out);
      add(s, in, out, out);
    });
}

TEST_CASE_TEMPLATE("repeated: transform", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes())
    check_repeated<B, float, float>(n, n, [](auto const& s, auto in, auto out) {
      transform(s, in, out, twice{});
      transform(s, in, out, out, twice{});
      transform(s, out, in, in, out, twice{});
    });
}

TEST_CASE_TEMPLATE("repeated: linear sums", B, DOLMEN_TEST_BACKENDS) {
  auto const sums = [](auto const& s, auto in, auto out) {
    scale(s, 3, in, out);
    add(s, in, out, out);
    triad(s, out, 2, in, out);
    axpy(s, 4, in, out);
  };
  for (index_t n : repeated_sizes()) {
    check_repeated<B, float, float>(n, n, sums);
    check_repeated<B, half, half>(n, n, sums);
    check_repeated<B, std::uint8_t, std::uint8_t>(n, n, sums);
  }
}

TEST_CASE_TEMPLATE("repeated: copies", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes())
    check_repeated<B, std::int32_t, std::int32_t>(n, n, [n](auto const& s, auto in, auto out) {
      copy(s, in, out);
      view<std::int32_t const, 2> const from(in.data(), n / 50, 50);
      view<std::int32_t, 2> const to(out.data(), n / 50, 50);
      copy(s, from.subview({{0, 3}}, {{n / 50, 40}}), to.subview({{0, 1}}, {{n / 50, 40}}));
      copy(s, out.slice(0, n - 7), out.slice(7, n - 7));  // overlapping: by way of temporary memory
    });
}

TEST_CASE_TEMPLATE("repeated: records and their members", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes())
    check_repeated<B, std::int16_t, std::int16_t>(n, n, [](auto const& s, auto in, auto out) {
      buffer<record, B> records(s, in.size());
      fill(s, records, record{1, 2, 3});
      join_fields(s, fields<&record::b>(in), records);
      split_fields(s, records, fields<&record::b>(out));
    });
}

TEST_CASE_TEMPLATE("repeated: random numbers", B, DOLMEN_TEST_BACKENDS) {
  auto const numbers = [](auto const& s, auto in, auto out) {
    using T = typename decltype(out)::element;
    buffer<T, B> uniform(s, in.size());
    fill_uniform(s, uniform, 5);
    fill_normal(s, out, 6, 0, 2);
    add(s, uniform, out, out);
    add(s, in, out, out);
  };
  for (index_t n : repeated_sizes()) {
    check_repeated<B, float, float>(n, n, numbers);
    check_repeated<B, bfloat16, bfloat16>(n, n, numbers);
    check_repeated<B, std::int64_t, std::int64_t>(n, n, [](auto const& s, auto in, auto out) {
      fill_uniform(s, out, 7, -1000, 1000);
      add(s, in, out, out);
    });
  }
}
