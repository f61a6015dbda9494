// for_each_index: one to three dimensions, one lambda for all backends.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;

namespace test_for_each {

// Lambdas for a device may not stand in functions of internal linkage, as test cases are.
template <class S>
void number_line(S const& s, index_t n, view<std::int64_t> out) {
  for_each_index(
      s, n, DOLMEN_LAMBDA(index_t i) { out(i) += i + 1; });
}
template <class S>
void number_plane(S const& s, view<std::int64_t, 2> out) {
  index_t const columns = out.extent(1);
  for_each_index(
      s, out.shape(), DOLMEN_LAMBDA(index_t y, index_t x) { out(y, x) += y * columns + x + 1; });
}
template <class S>
void number_volume(S const& s, view<std::int64_t, 3> out) {
  index_t const rows = out.extent(1), columns = out.extent(2);
  for_each_index(
      s, out.shape(), DOLMEN_LAMBDA(index_t z, index_t y, index_t x) { out(z, y, x) += (z * rows + y) * columns + x + 1; });
}

/// A struct serves as well.
struct doubles {
  view<float> data;
  DOLMEN_FN void operator()(index_t i) const { data(i) *= 2; }
};

template <class B, int Rank>
void check(typename B::stream const& s, extents<Rank> shape, testing::place where = {}) {
  std::vector<std::int64_t> const zeros(std::size_t(shape.volume()), 0);
  guarded<std::int64_t, B, Rank> out(s, shape, zeros, where);
  if constexpr (Rank == 1)
    number_line(s, shape[0], out.view());
  else if constexpr (Rank == 2)
    number_plane(s, out.view());
  else
    number_volume(s, out.view());
  auto const seen = out.values();
  for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i] == std::int64_t(i) + 1);
  REQUIRE(out.intact());
}

}  // namespace test_for_each

TEST_CASE_TEMPLATE("for_each_index: one dimension", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {0, 1, 2, 31, 32, 33, 255, 257, 4095, 4097, 100003}) test_for_each::check<B>(s, extents<1>{{n}}, {1, 0, true});
}

TEST_CASE_TEMPLATE("for_each_index: two dimensions, narrow and tall", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<2> shape :
       {extents<2>{{1, 1}}, {{3, 5}}, {{33, 31}}, {{1, 100003}}, {{100003, 1}}, {{70001, 3}}, {{3, 70001}}, {{0, 5}}, {{5, 0}}}) {
    test_for_each::check<B>(s, shape);
    test_for_each::check<B>(s, shape, {0, 2});
  }
}

TEST_CASE_TEMPLATE("for_each_index: three dimensions", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<3> shape : {extents<3>{{1, 1, 1}},
                           {{3, 5, 7}},
                           {{2, 33, 65}},
                           {{70001, 1, 2}},
                           {{1, 70001, 2}},
                           {{2, 1, 70001}},
                           {{0, 5, 5}},
                           {{5, 0, 5}},
                           {{5, 5, 0}}}) {
    test_for_each::check<B>(s, shape);
    test_for_each::check<B>(s, shape, {1, 1, true});
  }
}

TEST_CASE_TEMPLATE("for_each_index: a struct as body", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const values = testing::random_values<float>(1000);
  guarded<float, B> data(s, values);
  for_each_index(s, 1000, test_for_each::doubles{data.view()});
  auto const seen = data.values();
  for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i] == 2 * values[i]);
}

TEST_CASE_TEMPLATE("for_each_index: negative extents name the value", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  test_for_each::doubles const body{};
  CHECK(complaint<invalid_argument>({"extent 0", "-4"}, [&] { for_each_index(s, -4, body); }) == "");
  guarded<std::int64_t, B> out(s, 3);
  CHECK(complaint<invalid_argument>({"extent 0", "-1"}, [&] { test_for_each::number_line(s, -1, out.view()); }) == "");
  CHECK(out.unchanged());
}
