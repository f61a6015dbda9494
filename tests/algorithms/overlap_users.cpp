// The table of docs/algorithms.md, "Outputs that overlap inputs": operations with functions of the program's own.
#include "overlap.hpp"

using namespace dolmen;
using testing::check_alike;
using testing::check_vector;
using testing::memory_of;

namespace {

struct twice_plus_one {
  DOLMEN_FN float operator()(float x) const { return 2 * x + 1; }
};
struct weighted {
  DOLMEN_FN float operator()(float x, float y) const { return x - 3 * y; }
};
struct of_three {
  DOLMEN_FN float operator()(float x, float y, float z) const { return x - 3 * y + z; }
};
struct positive {
  DOLMEN_FN bool operator()(float x) const { return x > 0; }
};
struct larger {
  DOLMEN_FN float operator()(float x, float y) const { return x < y ? y : x; }
};

}  // namespace

TEST_CASE_TEMPLATE("overlap: transform", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  buffer<float, B> other(s, 30 * 30);
  fill_uniform(s, other, 5);
  auto const third = other.view(30, 30);
  check_alike(m, "transform", true, [&](auto in, auto out) { transform(s, in, out, twice_plus_one{}); });
  check_alike(m, "transform", true, [&](auto in, auto out) { transform(s, in, third, out, weighted{}); });
  check_alike(m, "transform", true, [&](auto in, auto out) { transform(s, third, in, out, weighted{}); });
  check_alike(m, "transform", true, [&](auto in, auto out) { transform(s, in, in, out, weighted{}); });
  check_alike(m, "transform", true, [&](auto in, auto out) { transform(s, third, third, in, out, of_three{}); });
}

TEST_CASE_TEMPLATE("overlap: scans and reductions by an operator of the program's own", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  check_alike(m, "inclusive_scan", true, [&](auto in, auto out) { inclusive_scan(s, in, out, larger{}); });
  check_vector<float>(m, "reduce_rows", 30, [&](auto in, auto out) { reduce_rows(s, in, out, larger{}, -9.0f); });
  check_vector<float>(m, "reduce_columns", 30, [&](auto in, auto out) { reduce_columns(s, in, out, larger{}, -9.0f); });
  buffer<float, B> other(s, 100);
  fill(s, other, 1.0f);
  auto const numbers = view<index_t>(reinterpret_cast<index_t*>(m.data.data()), testing::volume / 2);
  auto const flags = view<bool>(reinterpret_cast<bool*>(m.data.data()), testing::volume);
  CHECK(m.refused("count_if", [&] { count_if(s, m.line(0, 100), numbers.slice(0, 1), positive{}); }) == "");
  CHECK(m.refused("all_of", [&] { all_of(s, m.line(0, 100), flags.slice(0, 1), positive{}); }) == "");
  CHECK(m.refused("transform_reduce", [&] { transform_reduce(s, other, m.line(0, 100), m.line(7, 1), weighted{}, plus{}, 0.0f); }) == "");
  CHECK(m.refused("reduce", [&] { reduce(s, m.line(0, 100), m.line(99, 1), larger{}, -9.0f); }) == "");
  CHECK(m.refused("transform_reduce", [&] { transform_reduce(s, m.line(0, 100), m.line(7, 1), twice_plus_one{}, plus{}, 0.0f); }) == "");
  reduce(s, m.line(0, 100), m.line(100, 1), larger{}, -9.0f);  // right behind
  CHECK(download(s, m.line(100, 1))[0] == *std::max_element(m.values.begin(), m.values.begin() + 100));
}

TEST_CASE_TEMPLATE("overlap: select", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  auto const numbers = view<index_t>(reinterpret_cast<index_t*>(m.data.data()), testing::volume / 2);
  buffer<index_t, B> count(s, 1);
  buffer<float, B> out(s, 100);
  for (index_t to : {0, 1, 99, 150, 199}) {
    auto const in = m.line(100, 100);
    CHECK(m.refused("select", [&] { select(s, in, m.line(to == 0 ? 100 : to, 100), count, positive{}); }) == "");
    CHECK(m.refused("select", [&] { (void)select(s, in, m.line(to == 0 ? 100 : to, 100), positive{}); }) == "");
  }
  CHECK(m.refused("select", [&] { select(s, m.line(0, 100), out, numbers.slice(49, 1), positive{}); }) == "");
  CHECK(m.refused("select", [&] { select(s, out, m.line(0, 100), numbers.slice(0, 1), positive{}); }) == "");
  // Behind the elements selected from there is nothing in the way.
  CHECK(select(s, m.line(0, 100), m.line(100, 100), positive{}) > 0);
}
