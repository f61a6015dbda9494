#include <doctest/doctest.h>

#include <dolmen/core/overlap.hpp>
#include <random>
#include <set>

using namespace dolmen;

namespace {

std::set<std::uintptr_t> bytes_of(view<short, 3> v) {
  std::set<std::uintptr_t> bytes;
  for (index_t z = 0; z < v.extent(0); ++z)
    for (index_t y = 0; y < v.extent(1); ++y)
      for (index_t x = 0; x < v.extent(2); ++x)
        for (std::uintptr_t b = 0; b < sizeof(short); ++b)
          bytes.insert(reinterpret_cast<std::uintptr_t>(v.data() + z * v.stride(0) + y * v.stride(1) + x) + b);
  return bytes;
}

}  // namespace

TEST_CASE("overlap: as the sets of bytes say") {
  static short memory[400];
  std::mt19937 next(5);
  auto const below = [&](int n) { return index_t(next() % unsigned(n)); };
  auto const random_view = [&] {
    extents<3> const shape{{below(4), 1 + below(3), 1 + below(4)}};
    index_t const row = shape[2] + below(6), plane = row * shape[1] + below(20);
    return view<short, 3>(memory + below(60), shape, {{plane, row}});
  };
  int met = 0;
  for (int i = 0; i < 20000; ++i) {
    auto const a = random_view(), b = random_view();
    auto const left = bytes_of(a), right = bytes_of(b);
    bool expected = false;
    for (auto const byte : left) expected = expected || right.count(byte) > 0;
    met += expected;
    CAPTURE(i);
    REQUIRE(detail::share_elements(detail::flat(a), detail::flat(b)) == expected);
  }
  CHECK(met > 2000);
  CHECK(met < 18000);
}
