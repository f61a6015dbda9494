#include <algorithm>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;
using testing::random_values;

namespace {

/// Device to device, with every mix of gaps and offsets: the elements arrive, nothing else moves.
template <class T, class B>
void copy_everywhere(typename B::stream const& s, extents<3> shape) {
  auto const values = random_values<T>(shape.volume());
  for (place from : {place{}, {1, 3}, {5, 0}, {0, 4, true}})
    for (place to : {place{}, {0, 5}, {3, 1}, {2, 0, true}}) {
      guarded<T, B, 3> source(s, shape, values, from), target(s, shape, to);
      copy(s, source.const_view(), target.view());
      REQUIRE(target.values() == values);
      REQUIRE(target.intact());
      REQUIRE(source.unchanged());
    }
}

}  // namespace

TEST_CASE_TEMPLATE("copy: host to device and back, ranks 1 to 3", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {1, 2, 31, 33, 1000, 65537}) {
    auto const values = random_values<float>(n);
    guarded<float, B> line(s, n, {3});
    copy(s, values, line.view());
    CHECK(line.values() == values);
    CHECK(line.intact());
    std::vector<float> back(std::size_t(n), 0.0f);
    copy(s, line.const_view(), back);
    s.synchronize();
    CHECK(back == values);
  }
  auto const values = random_values<std::int16_t>(2 * 5 * 7);
  for (place where : {place{}, {1, 3}, {0, 2, true}}) {
    guarded<std::int16_t, B, 2> plane(s, {{10, 7}}, where);
    copy(s, std::span(values), plane.view());
    CHECK(plane.values() == values);
    CHECK(plane.intact());
    CHECK(download(s, plane.view()) == values);
    guarded<std::int16_t, B, 3> volume(s, {{2, 5, 7}}, where);
    copy(s, values, volume.view());
    CHECK(volume.values() == values);
    CHECK(volume.intact());
    CHECK(download(s, volume.const_view()) == values);
    CHECK(volume.intact());
  }
}

TEST_CASE_TEMPLATE("copy: the host's data has been taken when an upload returns", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(1 << 22, 1 << 12);
  std::vector<int> values(std::size_t(n), 1);
  buffer<int, B> data(s, n);
  copy(s, values, data);
  std::fill(values.begin(), values.end(), 2);
  CHECK(sum(s, data) == n);
}

TEST_CASE_TEMPLATE("copy: device to device, strides on both sides", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<3> shape : {extents<3>{{1, 1, 1}},
                           {{1, 1, 4099}},
                           {{1, 37, 5}},
                           {{3, 5, 17}},
                           {{4, 1, 64}},
                           {{2, 300, 1}},
                           {{2, 9000, 2}},
                           {{1, 3, 5000}},
                           {{1, 700, 300}}}) {
    CAPTURE(shape[2]);
    if (testing::small_sizes() && shape.volume() > 20000) continue;
    copy_everywhere<std::uint8_t, B>(s, shape);
    copy_everywhere<float, B>(s, shape);
    copy_everywhere<double, B>(s, shape);
  }
}

TEST_CASE_TEMPLATE("copy: more rows than a grid is high", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const rows = 70001;
  auto const values = random_values<std::int32_t>(rows * 3);
  guarded<std::int32_t, B, 2> source(s, {{rows, 3}}, values, place{0, 1}), target(s, {{rows, 3}}, place{1, 2});
  copy(s, source.const_view(), target.view());
  CHECK(target.values() == values);
  CHECK(target.intact());
}

// Where a CPU stores past its caches.
TEST_CASE_TEMPLATE("copy: more than caches hold", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const rows = 3, columns = testing::size_of(2000003, 1501);
  auto const values = random_values<double>(rows * columns);
  for (place from : {place{}, {1, 3}})
    for (place to : {place{}, {3, 1}, {0, 5, true}}) {
      guarded<double, B, 2> source(s, {{rows, columns}}, values, from), target(s, {{rows, columns}}, to);
      copy(s, source.const_view(), target.view());
      REQUIRE(target.values() == values);
      REQUIRE(target.intact());
    }
}

TEST_CASE_TEMPLATE("copy: overlapping views behave as if the source was read first", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {100, 100000})
    for (index_t shift : {1, 7, 64, 99}) {
      auto values = random_values<int>(n + shift);
      std::vector<int> const head(values.begin(), values.begin() + n), tail(values.end() - n, values.end());
      auto up = upload(s, values), down = upload(s, values);
      copy(s, up.view().slice(0, n), up.view().slice(shift, n));
      copy(s, down.view().slice(shift, n), down.view().slice(0, n));
      auto const raised = download(s, up), lowered = download(s, down);
      CHECK(std::equal(head.begin(), head.end(), raised.begin() + shift));
      CHECK(std::equal(values.begin(), values.begin() + shift, raised.begin()));
      CHECK(std::equal(tail.begin(), tail.end(), lowered.begin()));
      CHECK(std::equal(values.end() - shift, values.end(), lowered.end() - shift));
    }
}

TEST_CASE_TEMPLATE("copy: overlapping boxes of a matrix, both ways", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const side = 60, part = 40;
  auto const values = random_values<int>(side * side);
  for (index_t dy : {-7, 0, 5})
    for (index_t dx : {-3, 0, 9}) {
      guarded<int, B, 2> g(s, {{side, side}}, values, {0, 4});
      auto const from = g.view().subview({{10, 10}}, {{part, part}}), to = g.view().subview({{10 + dy, 10 + dx}}, {{part, part}});
      copy(s, from, to);
      auto expected = values;
      for (index_t y = 0; y < part; ++y)
        for (index_t x = 0; x < part; ++x)
          expected[std::size_t((10 + dy + y) * side + 10 + dx + x)] = values[std::size_t((10 + y) * side + 10 + x)];
      CHECK(g.values() == expected);
      CHECK(g.intact());
    }
}

TEST_CASE_TEMPLATE("copy: onto itself", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const values = random_values<double>(35);
  guarded<double, B, 2> g(s, {{5, 7}}, values, {1, 2});
  copy(s, g.view(), g.view());
  CHECK(g.values() == values);
  CHECK(g.unchanged());
}

TEST_CASE_TEMPLATE("copy: empty shapes", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> none(s, 0);
  std::vector<float> const nothing;
  copy(s, nothing, none);
  copy(s, none, none);
  CHECK(download(s, none).empty());
  CHECK(upload(s, nothing).size() == 0);
  guarded<float, B> g(s, 10);
  copy(s, view<float const, 2>(g.view().data(), 0, 5), view<float, 2>(g.view().data(), 0, 5));
  copy(s, view<float const, 2>(g.view().data(), 5, 0), view<float, 2>(g.view().data(), 5, 0));
  copy(s, nothing, view<float, 3>(g.view().data(), 2, 0, 5));
  CHECK(g.unchanged());
}

TEST_CASE_TEMPLATE("copy: sizes that differ are named", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> b(s, 24);
  std::vector<float> host(23);
  CHECK(complaint<invalid_argument>({"copy", "23", "24"}, [&] { copy(s, host, b); }) == "");
  CHECK(complaint<invalid_argument>({"copy", "4 x 6", "23"}, [&] { copy(s, b.view(4, 6), host); }) == "");
  CHECK(complaint<invalid_argument>({"copy", "4 x 6", "6 x 4"}, [&] { copy(s, b.view(4, 6), b.view(6, 4)); }) == "");
  CHECK(complaint<invalid_argument>({"0 x 5", "5 x 0"}, [&] { copy(s, b.view(0, 5), b.view(5, 0)); }) == "");
}
