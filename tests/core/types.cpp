#include <doctest/doctest.h>

#include <climits>
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

TEST_CASE("types: ceil_div up to the ends, of any two types") {
  CHECK(ceil_div(INT_MAX, 256) == 8388608);
  CHECK(ceil_div(INT_MAX, INT_MAX) == 1);
  CHECK(ceil_div(INT_MAX - 1, INT_MAX) == 1);
  CHECK(ceil_div(INT64_MAX, 2) == index_t(1) << 62);
  CHECK(ceil_div(UINT_MAX, 2u) == 1u << 31);
  CHECK(ceil_div(UINT64_MAX, 1) == UINT64_MAX);
  CHECK(ceil_div(UINT64_MAX, std::uint8_t(2)) == std::uint64_t(1) << 63);
  CHECK(ceil_div(std::uint8_t(255), std::uint8_t(2)) == 128);
  CHECK(ceil_div(std::int8_t(127), 256u) == 1);
  CHECK(ceil_div(-5, 4) == -1);
  CHECK(ceil_div(-5, 4u) == -1);
  CHECK(ceil_div(INT_MIN, 256) == INT_MIN / 256);
  CHECK(index_t(ceil_div(index_t(-5), std::uint64_t(4))) == -1);
  CHECK(std::is_same_v<decltype(ceil_div(std::size_t(5), 256)), std::uint64_t>);
  CHECK(std::is_same_v<decltype(ceil_div(5, index_t(256))), index_t>);
}

TEST_CASE("types: min and max of any two types") {
  CHECK(dolmen::min(256, std::uint64_t(1) << 32) == 256);
  CHECK(dolmen::min(256, index_t(1) << 32) == 256);
  CHECK(dolmen::max(256, index_t(1) << 32) == index_t(1) << 32);
  CHECK(dolmen::max(0, 0.5) == 0.5);
  CHECK(dolmen::max(0.5f, 0) == 0.5f);
  CHECK(dolmen::max(16777217, 0.5f) == 16777217.0);
  CHECK(dolmen::max(std::int16_t(3), 0.5f) == 3);
  CHECK(dolmen::min(-1, 1u) == -1);
  CHECK(dolmen::max(-1, 1u) == 1);
  CHECK(dolmen::max(INT_MIN, UINT_MAX) == UINT_MAX);
  CHECK(dolmen::min(-1, UINT64_MAX) == -1);
  CHECK(dolmen::min(std::uint64_t(5), -1) == -1);
  CHECK(dolmen::max(index_t(-1), UINT64_MAX) == UINT64_MAX);
  CHECK(dolmen::max(UINT64_MAX, -1) == UINT64_MAX);
  CHECK(dolmen::min(std::int8_t(-3), std::uint8_t(200)) == -3);
  CHECK(dolmen::max(half(0.5f), 0) == 0.5);
  CHECK(dolmen::min(half(2.0f), 0.25f) == 0.25f);
  CHECK(dolmen::max(half(1.0f), bfloat16(3.0f)) == 3.0f);
  CHECK(dolmen::max(half(1.0f), half(3.0f)) == half(3.0f));
  CHECK(dolmen::min(index_t(5), counter{}) == 3);
  CHECK(dolmen::max(colour::red, colour::red) == colour::red);
  CHECK(std::is_same_v<decltype(dolmen::min(1.0f, 2.0f)), float>);
  CHECK(std::is_same_v<decltype(dolmen::max(std::int8_t(1), std::int8_t(2))), std::int8_t>);
  CHECK(std::is_same_v<decltype(dolmen::max(1.0f, half(2.0f))), float>);
  tile<float, 2> t;
  t(0) = 1, t(1) = 2;
  CHECK(dolmen::max(1.5f, t.load(1)) == 2);
  CHECK(dolmen::max(t(0), t(1)) == 2);
  CHECK(dolmen::min(t(0), 0.5) == 0.5);
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
