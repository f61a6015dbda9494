// Collapsing ranks and strides into one descriptor: what every algorithm body sees.
#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

#include <dolmen/core/layout.hpp>

using namespace dolmen;
using detail::flat;

namespace {

int storage[4096];

std::vector<index_t> offsets(detail::strided<int> s) {
  std::vector<index_t> all;
  for (index_t z = 0; z < s.extent[0]; ++z)
    for (index_t y = 0; y < s.extent[1]; ++y)
      for (index_t x = 0; x < s.extent[2]; ++x) all.push_back(s.data + s.offset(z, y) + x - storage);
  return all;
}

std::vector<index_t> offsets(view<int, 3> v) {
  std::vector<index_t> all;
  for (index_t z = 0; z < v.extent(0); ++z)
    for (index_t y = 0; y < v.extent(1); ++y)
      for (index_t x = 0; x < v.extent(2); ++x) all.push_back(v.data() + z * v.stride(0) + y * v.stride(1) + x - storage);
  return all;
}

}  // namespace

TEST_CASE("layout: dense data is one row") {
  for (auto const& s : {flat(view<int>(storage, 24)), flat(view<int, 2>(storage, 4, 6)), flat(view<int, 3>(storage, 2, 3, 4))}) {
    CHECK(s.contiguous());
    CHECK(s.extent[2] == 24);
  }
  CHECK(flat(view<int, 2>(storage, {{1, 6}}, {{100}})).contiguous());
  // Planes of one row each: two dimensions with a gap are rows, not planes.
  auto const s = flat(view<int, 3>(storage, {{5, 1, 6}}, {{20, 6}}));
  CHECK(s.extent[0] == 1);
  CHECK(s.extent[1] == 5);
  CHECK(s.stride[1] == 20);
}

TEST_CASE("layout: empty shapes have no element") {
  CHECK(flat(view<int, 2>(storage, 0, 5)).size() == 0);
  CHECK(flat(view<int, 2>(storage, 5, 0)).size() == 0);
  CHECK(flat(view<int, 3>(storage, {{3, 0, 4}}, {{50, 10}})).size() == 0);
}

TEST_CASE("layout: the same elements in the same order, for random shapes") {
  std::mt19937_64 next(7);
  for (int round = 0; round < 2000; ++round) {
    index_t const x = 1 + index_t(next() % 4), y = 1 + index_t(next() % 4), z = 1 + index_t(next() % 4);
    index_t const row = x + index_t(next() % 3), plane = y * row + index_t(next() % 3);
    view<int, 3> const v(storage + next() % 7, {{z, y, x}}, {{plane, row}});
    REQUIRE(offsets(flat(v)) == offsets(v));
    REQUIRE(flat(v).size() == v.size());
  }
}

TEST_CASE("layout: two views are joined only where both have no gap") {
  index_t const dense_and_gap[2][2] = {{6, 1}, {8, 1}};
  auto const c = detail::collapse<2>(extents<2>{{4, 6}}, dense_and_gap);
  CHECK(c.extent[1] == 4);
  CHECK(c.extent[2] == 6);
  CHECK(c.stride[0][1] == 6);
  CHECK(c.stride[1][1] == 8);
  index_t const both_dense[2][2] = {{6, 1}, {6, 1}};
  CHECK(detail::collapse<2>(extents<2>{{4, 6}}, both_dense).one_row());
}

TEST_CASE("layout: the range of addresses that a descriptor touches") {
  auto const [begin, end] = detail::range(flat(view<int, 2>(storage + 3, {{3, 4}}, {{10}})));
  CHECK(begin == reinterpret_cast<char const*>(storage + 3));
  CHECK(end == reinterpret_cast<char const*>(storage + 3 + 24));
}
