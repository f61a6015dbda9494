// Packs: elements that move in one access, where they lie so that they can.
#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

#include <dolmen/core/view.hpp>

#include "../support/errors.hpp"

using namespace dolmen;
using testing::complaint;

namespace {

template <class T>
struct aligned {
  alignas(64) T data[256];
  aligned() { std::iota(std::begin(data), std::end(data), T(0)); }
};

/// N elements of T: what fits, and every way not to, with the numbers in the text.
template <class T, int N>
void check_fit() {
  constexpr int bytes = int(sizeof(T)) * N;
  CAPTURE(bytes);
  aligned<T> memory;
  T* const data = memory.data;
  std::string const width = detail::text("packs of ", bytes, " bytes"), multiple = detail::text("multiple of ", N);
  auto const refused = [&](auto const& v, std::initializer_list<char const*> parts) {
    CHECK_FALSE(v.template fits_packs<N>());
    CHECK(complaint<invalid_argument>(parts, [&] { (void)v.template as_packs<N>(); }) == "");
  };
  auto const taken = [&](auto const& v) {
    CHECK(v.template fits_packs<N>());
    return v.template as_packs<N>();
  };

  view<T> const line(data, 8 * N);
  CHECK(taken(line).size() == 8);
  CHECK(taken(line.slice(N, 2 * N)).load(1)[N - 1] == T(3 * N - 1));
  for (int odd = 1; odd < N; ++odd) {
    std::string const behind = detail::text("starts ", odd * int(sizeof(T)), " bytes behind");
    refused(line.slice(odd, N), {width.c_str(), "as_packs", behind.c_str(), detail::text("aligned to ", bytes).c_str()});
    refused(line.slice(0, N + odd), {"as_packs", detail::text("last extent, ", N + odd).c_str(), multiple.c_str()});
    refused(view<T, 2>(data, {{3, 2 * N}}, {{4 * N + odd}}), {"as_packs", detail::text("stride ", 4 * N + odd).c_str(), multiple.c_str()});
    refused(view<T, 2>(data, {{3, 4 * N}}).subview({{1, odd}}, {{2, N}}), {behind.c_str()});
    refused(view<T, 3>(data, {{2, 2, N}}, {{4 * N + odd, 2 * N}}), {detail::text("stride ", 4 * N + odd).c_str()});
    refused(view<T, 3>(data, {{2, 2, N}}, {{8 * N, 2 * N + odd}}), {detail::text("stride ", 2 * N + odd).c_str()});
    CHECK(taken(view<T, 2>(data, {{1, 2 * N}}, {{4 * N + odd}})).extent(1) == 2);  // a stride that is never stepped over
  }
  auto const box = taken(view<T, 2>(data, {{3, 4 * N}}, {{6 * N}}).subview({{1, N}}, {{2, 2 * N}}));
  CHECK(box.extent(0) == 2);
  CHECK(box.extent(1) == 2);
  CHECK(box.stride(0) == 6);
  CHECK(box.load(1, 1)[0] == T(2 * 6 * N + 2 * N));
  CHECK(taken(view<T const, 3>(view<T, 3>(data, {{2, 2, 2 * N}}, {{8 * N, 3 * N}}))).load(1, 1, 1)[0] == T(12 * N));
  CHECK(taken(view<T>()).empty());
  CHECK(taken(view<T, 2>(data, 0, N)).empty());
}

}  // namespace

TEST_CASE("packs: of 2 to 16 bytes, and where they do not fit") {
  check_fit<std::uint8_t, 2>();
  check_fit<std::uint8_t, 16>();
  check_fit<std::int16_t, 2>();
  check_fit<std::int16_t, 4>();
  check_fit<std::int16_t, 8>();
  check_fit<float, 2>();
  check_fit<float, 4>();
  check_fit<double, 2>();
}

TEST_CASE("packs: rows and columns") {
  aligned<float> memory;
  view<float, 2> const v = view<float, 2>(memory.data, {{4, 20}}, {{24}}).subview({{1, 4}}, {{3, 12}});
  auto const p = v.load_pack<4>(2, 8);
  for (int i = 0; i < 4; ++i) CHECK(p[i] == float(3 * 24 + 4 + 8 + i));
  v.store_pack<2>(1, 6, pack<float, 2>{{-1, -2}});
  CHECK(v.load(1, 5) == float(2 * 24 + 4 + 5));
  CHECK(v.load(1, 6) == -1);
  CHECK(v.load(1, 7) == -2);
  CHECK(v.load(1, 8) == float(2 * 24 + 4 + 8));
  view<float const, 2> const constant = v;
  CHECK(constant.load_pack<2>(1, 6)[1] == -2);
}

TEST_CASE("packs: elements, lines and rows") {
  alignas(16) float data[24];
  for (int i = 0; i < 24; ++i) data[i] = float(i);
  view<float> const v(data, 24);
  auto const p = v.load_pack<4>(8);
  for (int i = 0; i < 4; ++i) CHECK(p[i] == float(8 + i));
  v.store_pack<2>(4, pack<float, 2>{{-1, -2}});
  CHECK(data[4] == -1);
  CHECK(data[5] == -2);
  CHECK(data[6] == 6);

  auto const packs = v.as_packs<4>();
  CHECK(packs.size() == 6);
  CHECK(packs.load(5)[3] == 23);
  packs(0) = pack<float, 4>{{9, 9, 9, 9}};
  CHECK(data[3] == 9);
  view<float const> const constant = v;
  CHECK(constant.as_packs<2>().load(11)[1] == 23);

  view<float, 2> const rows(data, {{2, 8}}, {{12}});
  auto const row_packs = rows.as_packs<4>();
  CHECK(row_packs.extent(1) == 2);
  CHECK(row_packs.stride(0) == 3);
  CHECK(row_packs.load(1, 1)[0] == 16);
}
