// Scans with an operator of the program's own, which is associative and not commutative.
#include <algorithm>

#include "../backends.hpp"

#include "../support/errors.hpp"
#include "../support/guarded.hpp"
#include "scan_reference.hpp"

using namespace dolmen;
using testing::guarded;
using testing::place;

namespace test_scan {

/// x -> a x + b, modulo 2^32. Padding would be noticed: an element that is not there has no `mark`.
struct line {
  std::uint32_t a, b, mark;
  friend bool operator==(line const&, line const&) = default;
};
struct then {
  DOLMEN_FN line operator()(line first, line second) const {
    return {second.a * first.a, second.a * first.b + second.b, first.mark == 7 && second.mark == 7 ? 7u : 0u};
  }
};
/// Of two, the right one: what is left of an element is its place.
struct right {
  DOLMEN_FN std::uint8_t operator()(std::uint8_t, std::uint8_t b) const { return b; }
};
struct wide_sum {
  double value[5];
  friend bool operator==(wide_sum const&, wide_sum const&) = default;
};
struct add_wide {
  DOLMEN_FN wide_sum operator()(wide_sum a, wide_sum b) const {
    for (int k = 0; k < 5; ++k) a.value[k] += b.value[k];
    return a;
  }
};

}  // namespace test_scan

namespace {

using test_scan::line;

std::vector<line> lines_of(index_t n) {
  auto const numbers = testing::random_values<std::uint32_t>(2 * n, std::uint64_t(n));
  std::vector<line> lines;
  for (index_t i = 0; i < n; ++i) lines.push_back({numbers[std::size_t(2 * i)] | 1, numbers[std::size_t(2 * i + 1)], 7});
  return lines;
}

}  // namespace

TEST_CASE_TEMPLATE("scan: a user's operator, all sizes", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  test_scan::then const op;
  for (index_t n : testing::ladder()) {
    CAPTURE(n);
    auto const values = lines_of(n);
    guarded<line, B> in(s, values, {1, 0}), out(s, n, {0, 0, true});
    inclusive_scan(s, in.const_view(), out.view(), op);
    CHECK(out.values() == testing::reference_scan<line>(values, std::max<index_t>(n, 1), op));
    CHECK(in.unchanged());
    CHECK(out.intact());
    line const first{3, 5, 7};
    exclusive_scan(s, in.view(), in.view(), op, first);
    CHECK(in.values() == testing::reference_scan<line>(values, std::max<index_t>(n, 1), op, std::optional<line>(first)));
    CHECK(in.intact());
  }
}

TEST_CASE_TEMPLATE("scan: a user's operator along rows, and over strided views", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  test_scan::then const op;
  for (extents<2> shape : {extents<2>{{300, 3}}, {{20, 33}}, {{9, 1000}}, {{2, 5000}}}) {
    CAPTURE(shape[1]);
    auto const values = lines_of(shape.volume());
    guarded<line, B, 2> in(s, shape, values, {0, 2}), out(s, shape, place{1, 1});
    inclusive_scan_rows(s, in.const_view(), out.view(), op);
    CHECK(out.values() == testing::reference_scan<line>(values, shape[1], op));
    inclusive_scan(s, in.const_view(), out.view(), op);
    CHECK(out.values() == testing::reference_scan<line>(values, shape.volume(), op));
    CHECK(out.intact());
    CHECK(in.unchanged());
  }
}

TEST_CASE_TEMPLATE("scan: operators on bytes and on wide records", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(100003, 5003);
  auto const bytes = testing::random_values<std::uint8_t>(n);
  guarded<std::uint8_t, B> in(s, bytes, {3, 0}), out(s, n);
  inclusive_scan(s, in.const_view(), out.view(), test_scan::right{});
  CHECK(out.values() == bytes);
  auto const whole = testing::whole_values<double>(5 * n / 10);
  std::vector<test_scan::wide_sum> records(whole.size() / 5);
  for (std::size_t i = 0; i < records.size(); ++i)
    for (std::size_t k = 0; k < 5; ++k) records[i].value[k] = whole[5 * i + k];
  guarded<test_scan::wide_sum, B> wide(s, records);
  inclusive_scan(s, wide.view(), wide.view(), test_scan::add_wide{});
  CHECK(wide.values() == testing::reference_scan<test_scan::wide_sum>(records, index_t(records.size()), test_scan::add_wide{}));
}

#if !DOLMEN_HAS_CUDA || !defined(__CUDACC__)
TEST_CASE_TEMPLATE("scan: an operator that throws", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  index_t const n = testing::size_of(1000003, 5003);
  auto const data = upload(s, std::vector<int>(std::size_t(n), 1));
  buffer<int, B> out(s, n);
  auto const op = [](int a, int b) {
    if (a + b > 300) throw std::runtime_error("enough");
    return a + b;
  };
  CHECK_THROWS_AS(inclusive_scan(s, data, out, op), std::runtime_error);
  inclusive_scan(s, data, out);
  CHECK(download(s, out)[std::size_t(n - 1)] == int(n));
}

// The threads that have the chunks behind it wait for a chunk that never comes to anything.
TEST_CASE_TEMPLATE("scan: an operator that throws in one chunk", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  index_t const n = testing::size_of(1000003, 5003);
  buffer<int, B> out(s, n);
  auto const op = [](int a, int b) {
    if (b < 0) throw std::out_of_range("a negative element");
    return (a + b) % 1000;
  };
  for (index_t at : {index_t(1), n / 20, n / 2, n - 1})
    for (int round = 0; round < 5; ++round) {
      CAPTURE(at);
      std::vector<int> values(std::size_t(n), 3);
      values[std::size_t(at)] = -1;
      auto const data = upload(s, values);
      CHECK_THROWS_WITH_AS(inclusive_scan(s, data, out, op), "a negative element", std::out_of_range);
      values[std::size_t(at)] = 3;
      inclusive_scan(s, upload(s, values), out, op);
      auto const got = download(s, out);
      CHECK(got[std::size_t(at)] == int(3 * (at + 1) % 1000));
      CHECK(got[std::size_t(n - 1)] == int(3 * n % 1000));
    }
}
#endif
