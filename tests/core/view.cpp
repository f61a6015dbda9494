#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <dolmen/core/view.hpp>

#include "../support/errors.hpp"

using namespace dolmen;
using testing::complaint;

namespace {

std::vector<int> counting(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  return v;
}

}  // namespace

TEST_CASE("view: ranks 1 to 3, dense") {
  auto data = counting(24);
  view<int> const line(data.data(), 24);
  view<int, 2> const plane(data.data(), 4, 6);
  view<int, 3> const volume(data.data(), 2, 3, 4);
  CHECK(line.size() == 24);
  CHECK(plane.extent(0) == 4);
  CHECK(plane.extent(1) == 6);
  CHECK(plane.stride(0) == 6);
  CHECK(plane.stride(1) == 1);
  CHECK(volume.stride(0) == 12);
  CHECK(volume.stride(1) == 4);
  for (int i = 0; i < 24; ++i) {
    CHECK(line.load(i) == i);
    CHECK(plane.load(i / 6, i % 6) == i);
    CHECK(volume.load(i / 12, i / 4 % 3, i % 4) == i);
  }
  CHECK(plane.contiguous());
  CHECK(volume.contiguous());
  volume.store(1, 2, 3, -7);
  plane.store(0, 1, -8);
  line.store(2, -9);
  CHECK(data[23] == -7);
  CHECK(data[1] == -8);
  CHECK(data[2] == -9);
  line(3) += 10;
  CHECK(data[3] == 13);
}

TEST_CASE("view: strides") {
  auto data = counting(100);
  view<int, 2> const plane(data.data(), {{3, 4}}, {{10}});
  CHECK(plane.load(2, 3) == 23);
  CHECK(plane.size() == 12);
  CHECK_FALSE(plane.contiguous());
  view<int, 3> const volume(data.data(), {{2, 3, 4}}, {{50, 10}});
  CHECK(volume.load(1, 2, 3) == 73);
  CHECK_FALSE(volume.contiguous());
  // A gap that no index steps over does not count.
  CHECK(view<int, 2>(data.data(), {{1, 4}}, {{10}}).contiguous());
  CHECK(view<int, 2>(data.data(), {{3, 1}}, {{1}}).contiguous());
  CHECK(view<int, 2>(data.data(), {{3, 4}}, {{4}}).contiguous());
}

TEST_CASE("view: shapes that are refused name their numbers") {
  int data[8] = {};
  CHECK(complaint<invalid_argument>({"extent 0", "-1", "negative"}, [&] { (void)view<int>(data, -1); }) == "");
  CHECK(complaint<invalid_argument>({"extent 1", "-3"}, [&] { (void)view<int, 2>(data, 2, -3); }) == "");
  CHECK(complaint<invalid_argument>({"extent 2", "-4"}, [&] { (void)view<int, 3>(data, 2, 2, -4); }) == "");
  CHECK(complaint<invalid_argument>({"stride 0", "is 3", "4 elements"}, [&] { (void)view<int, 2>(data, {{2, 4}}, {{3}}); }) == "");
  CHECK(complaint<invalid_argument>({"stride 0", "-8"}, [&] { (void)view<int, 2>(data, {{2, 4}}, {{-8}}); }) == "");
  // Planes of 2 rows at stride 5 are 10 elements high.
  CHECK(complaint<invalid_argument>({"stride 0", "is 9", "10 elements"}, [&] { (void)view<int, 3>(data, {{2, 2, 4}}, {{9, 5}}); }) == "");
}

TEST_CASE("view: empty shapes keep their extents") {
  view<int> const nothing;
  CHECK(nothing.size() == 0);
  CHECK(nothing.empty());
  CHECK(nothing.data() == nullptr);
  view<float, 2> const rows(nullptr, 0, 5), columns(nullptr, 5, 0);
  CHECK(rows.extent(1) == 5);
  CHECK(columns.extent(0) == 5);
  CHECK(rows.empty());
  CHECK(columns.empty());
  CHECK(columns.contiguous());
  CHECK(columns.row(4).empty());
}

TEST_CASE("view: mutable converts to constant, never back") {
  int data[6] = {1, 2, 3, 4, 5, 6};
  view<int, 2> const v(data, {{2, 2}}, {{3}});
  view<int const, 2> const c = v;
  CHECK(c.load(1, 1) == 5);
  CHECK(c.stride(0) == 3);
  CHECK(std::is_convertible_v<view<int>, view<int const>>);
  CHECK_FALSE(std::is_convertible_v<view<int const>, view<int>>);
  CHECK_FALSE(std::is_convertible_v<view<int>, view<long const>>);
  CHECK(std::is_trivially_copyable_v<view<int, 3>>);
  CHECK_FALSE(std::is_assignable_v<decltype(c(0, 0)), int>);
}

TEST_CASE("view: an element far beyond 2^32 has the right address") {
  char base;
  view<char, 3> const v(&base, {{3, 70000, 70000}});
  CHECK(v.size() == 14700000000);
  CHECK(v.stride(0) == 4900000000);
#if !defined(DOLMEN_CHECK)
  CHECK(reinterpret_cast<std::uintptr_t>(&v(2, 69999, 69999)) - reinterpret_cast<std::uintptr_t>(&base) == 14699999999);
#endif
  CHECK(v.plane(2).row(69999).data() - &base == 14699930000);
}
