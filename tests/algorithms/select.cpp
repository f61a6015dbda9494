// Elements kept by a predicate.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace test_select {

template <class T>
struct below {
  T limit;
  DOLMEN_FN bool operator()(T value) const { return value < limit; }
};
struct marked {
  std::uint32_t key;
  std::uint8_t mark[3];
  DOLMEN_FN friend bool operator==(marked const& a, marked const& b) { return a.key == b.key && a.mark[2] == b.mark[2]; }
};
/// Only elements are looked at: all of them have this mark.
struct odd {
  DOLMEN_FN bool operator()(marked const& m) const { return m.mark[2] != 9 || m.key % 2 != 0; }
};

}  // namespace test_select

namespace {

template <class B, class T>
void select_one(index_t n, T limit, place where) {
  CAPTURE(n);
  typename B::stream s;
  auto const values = testing::random_values<T>(n, std::uint64_t(n));
  test_select::below<T> const predicate{limit};
  std::vector<T> expected;
  for (T v : values)
    if (predicate(v)) expected.push_back(v);
  auto const count = index_t(expected.size());
  guarded<T, B> in(s, values, where), out(s, count, {where.offset + 2, 0, where.at_end});
  CHECK(select(s, in.const_view(), out.view(), predicate) == count);
  CHECK(out.values() == expected);
  CHECK(out.intact());
  CHECK(in.unchanged());
  guarded<T, B> room(s, n);
  guarded<index_t, B> number(s, 1);
  select(s, in.view(), room.view(), number.view(), predicate);
  CHECK(number.values()[0] == count);
  auto got = room.values();
  got.resize(std::size_t(count));
  CHECK(got == expected);
  CHECK(room.intact());
  CHECK(number.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("select: all sizes", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : testing::ladder()) {
    select_one<B, float>(n, 0.1f, {0, 0});
    select_one<B, float>(n, -0.99f, {3, 0});
    select_one<B, std::int8_t>(n, 100, {1, 0});
    select_one<B, std::int64_t>(n, 0, {0, 0, true});
  }
}

TEST_CASE_TEMPLATE("select: records, whole and strided", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<2> shape : {extents<2>{{1, 5000}}, {{300, 3}}, {{7, 1000}}}) {
    std::vector<test_select::marked> values, expected;
    for (auto key : testing::random_values<std::uint32_t>(shape.volume())) values.push_back({key, {0, 0, 9}});
    for (auto const& v : values)
      if (v.key % 2) expected.push_back(v);
    guarded<test_select::marked, B, 2> in(s, shape, values, {1, 2});
    guarded<test_select::marked, B> out(s, index_t(expected.size()));
    CHECK(select(s, in.const_view(), out.view(), test_select::odd{}) == index_t(expected.size()));
    CHECK(out.values() == expected);
    CHECK(out.intact());
  }
}

TEST_CASE_TEMPLATE("select: NaN is compared as the predicate does", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const in = upload(s, std::vector<float>{1, testing::quiet_nan<float>, -1, 2});
  buffer<float, B> out(s, 4);
  CHECK(select(s, in, out, test_select::below<float>{1.5f}) == 2);
  CHECK(download(s, out.view().slice(0, 2)) == std::vector<float>{1, -1});
}

TEST_CASE_TEMPLATE("select: too little room", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(100000, 5000);
  auto const in = upload(s, std::vector<int>(std::size_t(n), 1));
  guarded<int, B> out(s, n - 1);
  buffer<index_t, B> count(s, 1);
  test_select::below<int> const all{2};
  auto const size = std::to_string(n), room = std::to_string(n - 1);
  CHECK(complaint<invalid_argument>({"select", size.c_str(), room.c_str()}, [&] { select(s, in, out.view(), count, all); }) == "");
  CHECK(complaint<invalid_argument>({"select", size.c_str(), room.c_str()}, [&] { select(s, in, out.view(), all); }) == "");
  CHECK(out.intact());
  CHECK(select(s, in.view().slice(1, n - 1), out.view(), all) == n - 1);
}
