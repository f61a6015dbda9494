// Reductions along rows and columns by an operator of the user's that is not commutative.
#include "reduce_support.hpp"

using namespace dolmen;
using testing::guarded;

namespace test_reduce_rows {

/// x -> a x + b. One behind the other is associative, not commutative. The mark tells of operands that are no elements.
struct affine {
  std::uint32_t a, b, mark;
  friend bool operator==(affine const&, affine const&) = default;
};
constexpr std::uint32_t mark = 0x600d600d;
struct first_then_second {
  DOLMEN_FN affine operator()(affine f, affine g) const {
    return {f.a * g.a, f.b * g.a + g.b, f.mark == mark && g.mark == mark ? mark : 0};
  }
};
/// Of a size that a GPU loads at once.
struct last_of {
  DOLMEN_FN int operator()(int, int b) const { return b; }
};

}  // namespace test_reduce_rows

using namespace test_reduce_rows;

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: in order, on elements alone", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  affine const start{3, 4, mark};
  for (extents<2> shape : {extents<2>{{1, 1}},
                           {{5, 3}},
                           {{40, 9}},
                           {{33, 31}},
                           {{7, 100}},
                           {{3, 129}},
                           {{2, 1500}},
                           {{1500, 2}},
                           {{1, 9001}},
                           {{300, 40}},
                           {{9001, 1}}}) {
    CAPTURE(shape);
    auto const raw = testing::random_values<std::uint32_t>(2 * shape.volume());
    std::vector<affine> values;
    for (std::size_t i = 0; i < raw.size(); i += 2) values.push_back({raw[i] | 1, raw[i + 1], mark});
    std::vector<affine> by_row(static_cast<std::size_t>(shape[0]), start), by_column(static_cast<std::size_t>(shape[1]), start);
    for (index_t r = 0; r < shape[0]; ++r)
      for (index_t c = 0; c < shape[1]; ++c) {
        auto const& f = values[std::size_t(r * shape[1] + c)];
        by_row[std::size_t(r)] = first_then_second{}(by_row[std::size_t(r)], f);
        by_column[std::size_t(c)] = first_then_second{}(by_column[std::size_t(c)], f);
      }
    guarded<affine, B, 2> in(s, shape, values, {1, 2, true});
    guarded<affine, B> rows(s, shape[0]), columns(s, shape[1]);
    reduce_rows(s, in.view(), rows.view(), first_then_second{}, start);
    reduce_columns(s, in.view(), columns.view(), first_then_second{}, start);
    REQUIRE(rows.values() == by_row);
    REQUIRE(columns.values() == by_column);
    REQUIRE(rows.intact());
    REQUIRE(columns.intact());
    REQUIRE(in.unchanged());
  }
}

TEST_CASE_TEMPLATE("reduce_rows, reduce_columns: the last of each line", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<2> shape : {extents<2>{{4, 4}}, {{100, 8}}, {{257, 132}}, {{2, 20000}}, {{5000, 4}}}) {
    CAPTURE(shape);
    auto const values = testing::random_values<int>(shape.volume());
    auto const in = upload(s, values);
    buffer<int, B> rows(s, shape[0]), columns(s, shape[1]);
    reduce_rows(s, in.view(shape[0], shape[1]), rows, last_of{}, 0);
    reduce_columns(s, in.view(shape[0], shape[1]), columns, last_of{}, 0);
    auto const last = download(s, rows), bottom = download(s, columns);
    for (index_t r = 0; r < shape[0]; ++r) REQUIRE(last[std::size_t(r)] == values[std::size_t((r + 1) * shape[1] - 1)]);
    for (index_t c = 0; c < shape[1]; ++c) REQUIRE(bottom[std::size_t(c)] == values[std::size_t((shape[0] - 1) * shape[1] + c)]);
  }
}
