// Reductions with functions of the program's own: captured and run again.
#include "captures.hpp"

using namespace dolmen;
using testing::as_bool;
using testing::check_repeated;
using testing::repeated_sizes;

namespace test_captures_users {

struct above_ten {
  DOLMEN_FN bool operator()(std::int32_t value) const { return value > 10; }
};

struct square {
  DOLMEN_FN float operator()(float a) const { return a * a; }
  DOLMEN_FN float operator()(float a, float b) const { return a * b; }
};

/// Another spelling of a sum, which the library does not know.
struct sum_of {
  DOLMEN_FN std::int32_t operator()(std::int32_t a, std::int32_t b) const { return a + b; }
};

}  // namespace test_captures_users

using namespace test_captures_users;

TEST_CASE_TEMPLATE("repeated: reductions with functions of the program's own", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes()) {
    check_repeated<B, std::int32_t, std::int32_t>(n, 1, [](auto const& s, auto in, auto out) { reduce(s, in, out, sum_of{}, 3); });
    check_repeated<B, float, float>(n, 1, [](auto const& s, auto in, auto out) { transform_reduce(s, in, out, square{}, plus{}, 0.0f); });
    check_repeated<B, float, float>(n, 1,
                                    [](auto const& s, auto in, auto out) { transform_reduce(s, in, in, out, square{}, maximum{}, -1.0f); });
    check_repeated<B, std::int32_t, index_t>(n, 1, [](auto const& s, auto in, auto out) { count_if(s, in, out, above_ten{}); });
    check_repeated<B, std::int32_t, std::uint8_t>(n, 1, [](auto const& s, auto in, auto out) { any_of(s, in, as_bool(out), above_ten{}); });
    check_repeated<B, std::int32_t, std::uint8_t>(n, 1, [](auto const& s, auto in, auto out) { all_of(s, in, as_bool(out), above_ten{}); });
  }
}

TEST_CASE_TEMPLATE("repeated: reductions along rows and columns with an operator of the program's own", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes())
    for (index_t rows : {index_t(4), n / 4}) {  // long ones, and many
      index_t const columns = n / rows;
      auto const matrix = [=](auto in) { return view<typename decltype(in)::element, 2>(in.data(), rows, columns); };
      check_repeated<B, std::int32_t, std::int32_t>(
          n, rows, [=](auto const& s, auto in, auto out) { reduce_rows(s, matrix(in), out, sum_of{}, 1); });
      check_repeated<B, std::int32_t, std::int32_t>(
          n, columns, [=](auto const& s, auto in, auto out) { reduce_columns(s, matrix(in), out, sum_of{}, 1); });
    }
}
