// Parts of views: slices, rows, planes, boxes, members of records.
#include <doctest/doctest.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include <dolmen/core/view.hpp>

#include "../support/errors.hpp"

using namespace dolmen;
using testing::complaint;

namespace {

struct particle {
  float x;
  double mass;
  int charge;
};

template <class V, class I>
concept has_field = requires(V v, I i) {
  v.template field<&particle::x>(i);
};

struct grid_of_numbers {
  std::vector<int> data = std::vector<int>(240);
  view<int> line{data.data(), 240};
  view<int, 2> plane{data.data(), {{10, 20}}, {{24}}};
  view<int, 3> volume{data.data(), {{2, 4, 20}}, {{120, 24}}};
  grid_of_numbers() { std::iota(data.begin(), data.end(), 0); }
};

}  // namespace

TEST_CASE_FIXTURE(grid_of_numbers, "view: slice, row, plane, subview") {
  auto const s = line.slice(7, 5);
  CHECK(s.size() == 5);
  CHECK(s.load(4) == 11);
  CHECK(plane.row(3).size() == 20);
  CHECK(plane.row(3).load(19) == 91);
  CHECK(volume.plane(1).row(2).load(3) == 171);
  CHECK(volume.plane(1).stride(0) == 24);
  auto const box = plane.subview({{2, 5}}, {{3, 4}});
  CHECK(box.extent(0) == 3);
  CHECK(box.extent(1) == 4);
  CHECK(box.stride(0) == 24);
  CHECK(box.load(2, 3) == 4 * 24 + 8);
  auto const cube = volume.subview({{1, 1, 2}}, {{1, 2, 3}});
  CHECK(cube.load(0, 1, 2) == 120 + 48 + 4);
  // A part of a part.
  CHECK(box.subview({{1, 1}}, {{2, 2}}).load(1, 1) == box.load(2, 2));
}

TEST_CASE_FIXTURE(grid_of_numbers, "view: parts at the very end, and empty ones") {
  CHECK(line.slice(240, 0).empty());
  CHECK(line.slice(239, 1).load(0) == 239);
  CHECK(plane.subview({{10, 20}}, {{0, 0}}).empty());
  CHECK(plane.subview({{9, 19}}, {{1, 1}}).load(0, 0) == 9 * 24 + 19);
  auto const none = plane.subview({{3, 0}}, {{0, 20}});
  CHECK(none.extent(1) == 20);
  CHECK(view<int>().slice(0, 0).empty());
}

TEST_CASE_FIXTURE(grid_of_numbers, "view: parts that leave the view name the numbers") {
  CHECK(complaint<invalid_argument>({"240", "asked for 5", "from 236"}, [&] { (void)line.slice(236, 5); }) == "");
  CHECK(complaint<invalid_argument>({"240", "-1"}, [&] { (void)line.slice(-1, 5); }) == "");
  CHECK(complaint<invalid_argument>({"240", "-2"}, [&] { (void)line.slice(5, -2); }) == "");
  index_t const most = std::numeric_limits<index_t>::max();
  CHECK(complaint<invalid_argument>({"240"}, [&] { (void)line.slice(most, most); }) == "");
  CHECK(complaint<invalid_argument>({"row", "10", "0 to 9"}, [&] { (void)plane.row(10); }) == "");
  CHECK(complaint<invalid_argument>({"row", "-1"}, [&] { (void)plane.row(-1); }) == "");
  CHECK(complaint<invalid_argument>({"plane", "2", "0 to 1"}, [&] { (void)volume.plane(2); }) == "");
  CHECK(complaint<invalid_argument>({"dimension 1", "20", "asked for 4", "from 17"}, [&] {
          (void)plane.subview({{0, 17}}, {{1, 4}});
        }) == "");
}

TEST_CASE("view: one member of a record") {
  particle data[3] = {{1, 10, 100}, {2, 20, 200}, {3, 30, 300}};
  view<particle> const v(data, 3);
  float const x = v.field<&particle::x>(1);
  CHECK(x == 2);
  v.field<&particle::mass>(2) = 31;
  CHECK(data[2].mass == 31);
  CHECK(data[2].x == 3);
  v.field<&particle::charge>(0) += 5;
  CHECK(data[0].charge == 105);
  view<particle const> const c = v;
  double const mass = c.field<&particle::mass>(0);
  CHECK(mass == 10);
  CHECK_FALSE(std::is_assignable_v<decltype(c.field<&particle::x>(0)), float>);
  CHECK(has_field<view<particle>, int>);
  CHECK_FALSE(has_field<view<particle>, double>);
}
