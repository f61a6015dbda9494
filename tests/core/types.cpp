#include <doctest/doctest.h>

#include <utility>

#include <dolmen/core/device.hpp>
#include <dolmen/core/error.hpp>
#include <dolmen/core/shape.hpp>
#include <dolmen/core/tile.hpp>
#include <dolmen/core/types.hpp>

using namespace dolmen;

namespace {

template <class I>
concept indexes = requires(tile<float, 8>& t, I i) {
  t(i);
};
enum class colour { red = 1 };
struct counter {
  operator index_t() const { return 3; }
};

}  // namespace

TEST_CASE("types: small vocabulary") {
  CHECK(ceil_div(0, 256) == 0);
  CHECK(ceil_div(1, 256) == 1);
  CHECK(ceil_div(256, 256) == 1);
  CHECK(ceil_div(257, 256) == 2);
  CHECK(ceil_div(index_t(1) << 40, index_t(3)) == 366503875926);
  CHECK(dolmen::min(3, 5) == 3);
  CHECK(dolmen::max(index_t(3), 5) == 5);
  int a = 1, b = 2;
  dolmen::swap(a, b);
  CHECK(a == 2);
  CHECK(b == 1);
  using std::swap;  // as generic code calls it
  array<int, 1> one{{1}}, two{{2}};
  swap(one, two);
  CHECK(one[0] == 2);
  CHECK(two[0] == 1);
  array<int, 3> three{{4, 5, 6}};
  int sum = 0;
  for (int v : three) sum += v;
  CHECK(sum == 15);
  CHECK(three.size() == 3);
  CHECK(three == array<int, 3>{{4, 5, 6}});
  CHECK_FALSE(three == array<int, 3>{{4, 5, 7}});
}

TEST_CASE("types: a volume beyond 32 bits does not wrap") {
  CHECK(extents{index_t(70000), index_t(70000)}.volume() == 4900000000);
  CHECK(extents<3>{{2000, 2000, 2000}}.volume() == 8000000000);
  CHECK(extents<3>{{5, 0, 7}}.volume() == 0);
  CHECK(grid(70000, 70000).blocks() == 4900000000);
}

TEST_CASE("types: packs are aligned to their width") {
  CHECK(sizeof(pack<float, 4>) == 16);
  CHECK(alignof(pack<float, 4>) == 16);
  CHECK(alignof(pack<std::uint8_t, 2>) == 2);
  CHECK(alignof(pack<double, 2>) == 16);
}

TEST_CASE("types: what is an index") {
  CHECK(indexes<int>);
  CHECK(indexes<unsigned char>);
  CHECK(indexes<std::size_t>);
  CHECK(indexes<colour>);
  CHECK(indexes<counter>);
  CHECK_FALSE(indexes<float>);
  CHECK_FALSE(indexes<double>);
  CHECK_FALSE(indexes<bool>);
  CHECK_FALSE(indexes<char const*>);
}

TEST_CASE("types: element types") {
  struct plain {
    int a;
    float b;
  };
  CHECK(element_type<plain>);
  CHECK(element_type<plain const>);
  CHECK_FALSE(element_type<std::string>);
  CHECK_FALSE(element_type<int&>);
}

TEST_CASE("tile: ranks, extents, row-major") {
  tile<int, 5> line;
  tile<int, 3, 4> plane;
  tile<int, 2, 3, 4> volume;
  CHECK(std::is_trivially_default_constructible_v<tile<int, 3, 4>>);
  CHECK(sizeof volume == 24 * sizeof(int));
  CHECK(plane.extent(0) == 3);
  CHECK(plane.extent(1) == 4);
  CHECK(volume.size() == 24);
  for (int i = 0; i < 5; ++i) line(i) = i;
  for (int i = 0; i < 12; ++i) plane(i / 4, i % 4) = i;
  for (int i = 0; i < 24; ++i) volume(i / 12, i / 4 % 3, i % 4) = i;
  for (int i = 0; i < 5; ++i) CHECK(line.elements[i] == i);
  for (int i = 0; i < 12; ++i) CHECK(plane.elements[i] == i);
  for (int i = 0; i < 24; ++i) CHECK(volume.elements[i] == i);
  CHECK(volume.load(1, 2, 3) == 23);
  line(4) += 10;
  CHECK(line.load(4) == 14);
}

TEST_CASE("shape: block numbers and threads") {
  using shape = block_shape<8, 4, 3>;
  CHECK(shape::size == 96);
  auto const t = detail::thread_at<shape>(3, 2, 1);
  CHECK(t.rank == 51);
  CHECK(t.warp == 1);
  CHECK(t.lane == 19);
  // Beyond 2^31 only products are large, never an extent.
  block_index const g{3, 5, 7};
  for (int z = 0, n = 0; z < 7; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 3; ++x, ++n) {
        auto const b = detail::split(n, g);
        CHECK((b.x == x && b.y == y && b.z == z));
      }
}

TEST_CASE("device: generations of GPUs") {
  CHECK(std::string(detail::generation_of(6, 0).name) == "Pascal");
  CHECK(std::string(detail::generation_of(7, 2).name) == "Volta");
  CHECK(std::string(detail::generation_of(8, 7).name) == "Ampere");
  CHECK(std::string(detail::generation_of(8, 9).name) == "Ada Lovelace");
  CHECK(std::string(detail::generation_of(9, 0).name) == "Hopper");
  CHECK(std::string(detail::generation_of(10, 3).name) == "Blackwell");
  CHECK(detail::generation_of(9, 0).lanes_per_processor == 128);
}
