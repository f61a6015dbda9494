// Scans, selections, histograms and sorting: captured and run again.
#include "captures.hpp"

using namespace dolmen;
using testing::check_repeated;
using testing::repeated_sizes;

namespace test_captures_order {

/// The later of two elements that is not 0: associative, not commutative.
struct later {
  DOLMEN_FN std::int32_t operator()(std::int32_t a, std::int32_t b) const { return b != 0 ? b : a; }
};

struct is_odd {
  DOLMEN_FN bool operator()(index_t value) const { return value % 2 != 0; }
};

}  // namespace test_captures_order

using namespace test_captures_order;

TEST_CASE_TEMPLATE("repeated: scans", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes()) {
    check_repeated<B, std::int32_t, std::int64_t>(n, n, [](auto const& s, auto in, auto out) { inclusive_scan(s, in, out); });
    check_repeated<B, float, float>(n, n, [](auto const& s, auto in, auto out) {
      copy(s, in, out);
      exclusive_scan(s, out, out, plus{}, 3.0f);
    });
    check_repeated<B, std::uint8_t, std::uint8_t>(n, n, [](auto const& s, auto in, auto out) { inclusive_scan(s, in, out, maximum{}); });
    check_repeated<B, std::int32_t, std::int32_t>(n, n, [](auto const& s, auto in, auto out) { inclusive_scan(s, in, out, later{}); });
    check_repeated<B, std::int32_t, std::int32_t>(n, n, [n](auto const& s, auto in, auto out) {
      inclusive_scan_rows(s, view<std::int32_t const, 2>(in.data(), 10, n / 10), view<std::int32_t, 2>(out.data(), 10, n / 10));
    });
    check_repeated<B, std::int32_t, std::int32_t>(n, n, [n](auto const& s, auto in, auto out) {
      exclusive_scan_rows(s, view<std::int32_t const, 2>(in.data(), n / 10, 10), view<std::int32_t, 2>(out.data(), n / 10, 10), later{});
    });
  }
}

TEST_CASE_TEMPLATE("repeated: select and compact, with their counts", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes()) {
    check_repeated<B, index_t, index_t>(
        n, n + 1, [n](auto const& s, auto in, auto out) { select(s, in, out.slice(0, n), out.slice(n, 1), is_odd{}); });
    check_repeated<B, index_t, index_t>(n, n + 1, [n](auto const& s, auto in, auto out) {
      buffer<std::uint8_t, B> flags(s, n);
      fill_uniform(s, flags, 3, 0, 1);
      compact(s, in, flags, out.slice(0, n), out.slice(n, 1));
    });
  }
}

TEST_CASE_TEMPLATE("repeated: histograms", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes()) {
    check_repeated<B, std::uint8_t, std::int32_t>(n, 256, [](auto const& s, auto in, auto out) { histogram(s, in, out); });
    check_repeated<B, float, index_t>(n, 20000, [](auto const& s, auto in, auto out) { histogram(s, in, out, -10.0f, 50.0f); });
    check_repeated<B, std::int64_t, std::uint32_t>(n, 7, [](auto const& s, auto in, auto out) { histogram(s, in, out, 0, 30); });
  }
}

TEST_CASE_TEMPLATE("repeated: sorting", B, DOLMEN_TEST_BACKENDS) {
  auto const keys = [](auto const& s, auto in, auto out) {
    copy(s, in, out);
    sort(s, out, sort_order::descending);
  };
  for (index_t n : {index_t(1000), testing::size_of(100000, 6000)}) {
    check_repeated<B, std::int8_t, std::int8_t>(n, n, keys);
    check_repeated<B, float, float>(n, n, keys);
    check_repeated<B, std::uint64_t, std::uint64_t>(n, n, keys);
    check_repeated<B, std::int32_t, std::int32_t>(n, n, [n](auto const& s, auto in, auto out) {  // of rows with gaps
      copy(s, in, out);
      sort(s, view<std::int32_t, 2>(out.data(), {{n / 50, 47}}, {{50}}));
    });
    check_repeated<B, std::int32_t, std::int32_t>(n, 2 * n, [n](auto const& s, auto in, auto out) {
      copy(s, in, out.slice(0, n));
      iota(s, out.slice(n, n));
      sort_by_key(s, out.slice(0, n), out.slice(n, n));
    });
  }
}
