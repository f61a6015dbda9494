#include <algorithm>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace {

__extension__ typedef __int128 exact;

/// floor((k - low) bins / (high - low)) in 128 bits.
template <class T>
std::vector<index_t> reference(std::vector<T> const& keys, index_t bins, exact low, exact high) requires std::integral<T> {
  std::vector<index_t> counts(std::size_t(bins), 0);
  for (T k : keys)
    if (exact(k) >= low && exact(k) < high) ++counts[std::size_t((exact(k) - low) * bins / (high - low))];
  return counts;
}

/// The documented formula, in the type in which it is documented.
template <class T, class F = detail::bin_value<T>>
std::vector<index_t> float_reference(std::vector<T> const& keys, index_t bins, F low, F high) {
  std::vector<index_t> counts(std::size_t(bins), 0);
  F const scale = F(bins) / (high - low);
  for (T k : keys) {
    F const x = static_cast<F>(k);
    if (!(x >= low && x < high)) continue;
    F const shifted = x - low;
    ++counts[std::min(std::size_t(shifted * scale), std::size_t(bins - 1))];
  }
  return counts;
}

template <class Count>
bool equal(std::vector<Count> const& got, std::vector<index_t> const& expected) {
  return std::equal(got.begin(), got.end(), expected.begin(), expected.end(), [](Count a, index_t b) { return index_t(a) == b; });
}

template <class B, class T, class Count>
void integers(index_t n, index_t bins, place where) {
  CAPTURE(n);
  CAPTURE(bins);
  typename B::stream s;
  auto const keys = testing::random_values<T>(n, std::uint64_t(n));
  guarded<T, B> in(s, keys, where);
  guarded<Count, B> counts(s, bins, {1, 0});
  using limits = std::numeric_limits<T>;
  histogram(s, in.const_view(), counts.view());
  CHECK(equal(counts.values(), reference(keys, bins, exact(limits::min()), exact(limits::max()) + 1)));
  using bound = detail::bound_of<buffer<T, B>>;
  auto const low = static_cast<bound>(limits::min() / 4 + 3), high = static_cast<bound>(limits::max() / 2);
  histogram(s, in.view(), counts.view(), low, high);
  CHECK(equal(counts.values(), reference(keys, bins, exact(low), exact(high))));
  CHECK(counts.intact());
  CHECK(in.unchanged());
}

template <class B, class T>
void floats(index_t n, index_t bins, place where) {
  CAPTURE(n);
  CAPTURE(bins);
  typename B::stream s;
  std::vector<T> keys;
  for (double v : testing::random_values<double>(n, std::uint64_t(n))) keys.push_back(T(float(v)));
  double const special[] = {NAN, -NAN, INFINITY, -INFINITY, -0.75, 0.5, -0.0, 0.0};
  for (std::size_t i = 0; i < keys.size() && i < 8; ++i) keys[keys.size() - 1 - i] = T(float(special[i]));
  guarded<T, B> in(s, keys, where);
  guarded<index_t, B> counts(s, bins);
  histogram(s, in.const_view(), counts.view(), -0.75f, 0.5f);
  CHECK(equal(counts.values(), float_reference(keys, bins, detail::bin_value<T>(-0.75f), detail::bin_value<T>(0.5f))));
  CHECK(counts.intact());
  CHECK(in.unchanged());
}

}  // namespace

TEST_CASE_TEMPLATE("histogram: integers of all sizes", B, DOLMEN_TEST_BACKENDS) {
  index_t const bins[] = {1, 2, 7, 256, 1000, 10000};
  int turn = 0;
  for (index_t n : testing::ladder()) {
    for (index_t b : bins) {
      if (!testing::full_products() && turn++ % 3 != 0) continue;
      integers<B, std::uint8_t, std::uint32_t>(n, b, {3, 0});
      integers<B, std::int8_t, std::int64_t>(n, b, {0, 0, true});
      integers<B, std::int16_t, int>(n, b, {0, 0});
      integers<B, std::uint32_t, std::uint64_t>(n, b, {1, 0});
      integers<B, std::int32_t, std::int32_t>(n, b, {0, 0});
      integers<B, std::int64_t, std::int64_t>(n, b, {0, 0});
      integers<B, std::uint64_t, std::uint32_t>(n, b, {0, 0});
    }
  }
}

TEST_CASE_TEMPLATE("histogram: floats of all sizes, with NaN and infinities", B, DOLMEN_TEST_BACKENDS) {
  int turn = 0;
  for (index_t n : testing::ladder())
    for (index_t b : {1, 10, 256, 3000, 20000}) {
      if (!testing::full_products() && turn++ % 2 != 0) continue;
      floats<B, float>(n, b, {1, 0});
      floats<B, double>(n, b, {0, 0, true});
      floats<B, half>(n, b, {3, 0});
      floats<B, bfloat16>(n, b, {0, 0});
    }
}

TEST_CASE_TEMPLATE("histogram: bins are half-open", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<int, B> counts(s, 4);
  histogram(s, upload(s, std::vector<float>{-0.25f, 0, 0.25f, 0.5f, 0.75f, 0.99f, 1, 2, 0.74f}), counts, 0, 1);
  CHECK(download(s, counts) == std::vector<int>{1, 1, 2, 2});
  histogram(s, upload(s, std::vector<int>{-1, 0, 9, 10, 39, 40, 100}), counts, 0, 40);
  CHECK(download(s, counts) == std::vector<int>{2, 1, 0, 1});
  // Bounds beyond the keys' type.
  histogram(s, upload(s, std::vector<std::int8_t>{-128, -1, 0, 127}), counts, -1000, 1000);
  CHECK(download(s, counts) == std::vector<int>{0, 2, 2, 0});
  histogram(s, upload(s, std::vector<std::uint8_t>{0, 255}), counts, 300, 400);
  CHECK(download(s, counts) == std::vector<int>{0, 0, 0, 0});
  histogram(s, upload(s, std::vector<std::int32_t>{-1, 5}), counts, -(index_t(1) << 40), index_t(1) << 40);
  CHECK(download(s, counts) == std::vector<int>{0, 1, 1, 0});
  histogram(s, upload(s, std::vector<std::int64_t>{INT64_MIN, -1, 0, INT64_MAX - 1, INT64_MAX}), counts, INT64_MIN, INT64_MAX);
  CHECK(download(s, counts) == std::vector<int>{1, 1, 1, 1});
}

TEST_CASE_TEMPLATE("histogram: all keys the same, and in turn", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(1000003, 5003);
  buffer<std::uint32_t, B> counts(s, 256);
  buffer<std::uint8_t, B> keys(s, n);
  fill(s, keys, std::uint8_t(77));
  histogram(s, keys, counts);
  auto got = download(s, counts);
  CHECK(got[77] == std::uint32_t(n));
  CHECK(got[0] + got[255] == 0);
  std::vector<std::uint8_t> turns(std::size_t(n), 1);
  for (std::size_t i = 0; i < turns.size(); i += 2) turns[i] = 200;
  histogram(s, upload(s, turns), counts);
  got = download(s, counts);
  CHECK(got[1] == std::uint32_t(n / 2));
  CHECK(got[200] == std::uint32_t(n - n / 2));
}

// Threads add what they counted to the same bins, at about the same time.
TEST_CASE_TEMPLATE("histogram: counts of all threads in many bins", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const bins = testing::size_of(60000, 600), each = 9;
  std::vector<std::uint16_t> keys;
  for (index_t i = 0; i < each * bins; ++i) keys.push_back(std::uint16_t(i * 7919 % bins));
  auto const in = upload(s, keys);
  buffer<std::uint32_t, B> counts(s, bins);
  buffer<std::int64_t, B> wide(s, bins);
  auto const expected = std::vector<std::uint32_t>(std::size_t(bins), std::uint32_t(each));
  for (int round = 0; round < 20; ++round) {
    histogram(s, in, counts, 0, bins);
    REQUIRE(download(s, counts) == expected);
    histogram(s, in, wide, 0, bins);
    REQUIRE(minmax_of(s, wide) == min_max<std::int64_t>{each, each});
  }
}

TEST_CASE_TEMPLATE("histogram: strided rows", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<3> shape : {extents<3>{{1, 1, 1}}, {{3, 5, 7}}, {{2, 3, 9000}}, {{1, 300, 40}}}) {
    auto const keys = testing::random_values<std::uint16_t>(shape.volume());
    guarded<std::uint16_t, B, 3> in(s, shape, keys, {1, 3});
    guarded<std::uint32_t, B> counts(s, 16);
    histogram(s, in.const_view(), counts.view());
    CHECK(equal(counts.values(), reference(keys, 16, 0, 65536)));
    CHECK(in.unchanged());
  }
}

TEST_CASE_TEMPLATE("histogram: of nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<int, B> counts(s, 5);
  histogram(s, view<float const>(), counts.view(), 0, 1);
  CHECK(counts.values() == std::vector<int>(5, 0));
  CHECK(counts.intact());
  histogram(s, view<std::uint8_t const, 2>(nullptr, 0, 5), counts.view());
  CHECK(counts.values() == std::vector<int>(5, 0));
}

TEST_CASE_TEMPLATE("histogram: refused", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const floats = upload(s, std::vector<float>(10, 0.5f));
  auto const ints = upload(s, std::vector<int>(10, 5));
  guarded<int, B> counts(s, 5);
  CHECK(complaint<invalid_argument>({"histogram", "1", "1", "empty"}, [&] { histogram(s, floats, counts.view(), 1, 1); }) == "");
  CHECK(complaint<invalid_argument>({"2", "1", "empty"}, [&] { histogram(s, floats, counts.view(), 2, 1); }) == "");
  CHECK(complaint<invalid_argument>({"5", "-5", "empty"}, [&] { histogram(s, ints, counts.view(), 5, -5); }) == "");
  CHECK(complaint<invalid_argument>({"empty"}, [&] { histogram(s, floats, counts.view(), testing::quiet_nan<float>, 1); }) == "");
  CHECK(complaint<invalid_argument>({"finite"}, [&] { histogram(s, floats, counts.view(), 0, INFINITY); }) == "");
  CHECK(complaint<invalid_argument>({"no bins"}, [&] { histogram(s, floats, counts.view().slice(0, 0), 0, 1); }) == "");
  CHECK(complaint<invalid_argument>({"no bins"}, [&] { histogram(s, ints, counts.view().slice(0, 0)); }) == "");
  CHECK(counts.unchanged());
  buffer<int, B> both(s, 20);
  CHECK(complaint<invalid_argument>({"overlap"}, [&] { histogram(s, both.view().slice(0, 10), both.view().slice(9, 5)); }) == "");
}

TEST_CASE_TEMPLATE("histogram: bounds that the keys' type does not have", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const keys = upload(s, std::vector<std::uint32_t>{0, 1, 2, 4000000000});
  auto const small = upload(s, std::vector<std::int8_t>{-3, 0, 3});
  buffer<std::uint32_t, B> counts(s, 4);
  fill(s, counts, 7u);
  auto const refuses = [&](std::initializer_list<char const*> parts, auto from, auto to, auto const& in) {
    CHECK(testing::complaint<invalid_argument>(parts, [&] { histogram(s, in, counts, from, to); }) == "");
  };
  refuses({"histogram", "-1", "uint64_t"}, 0, -1, keys);
  refuses({"histogram", "-1", "uint64_t"}, -1, 3, keys);
  refuses({"histogram", "-1", "uint64_t"}, -1.0, 3.0f, keys);
  refuses({"histogram", "0.5", "uint64_t"}, 0.5, 3, keys);
  refuses({"histogram", "nan", "uint64_t"}, 0, testing::quiet_nan<double>, keys);
  refuses({"histogram", "18446744073709551615", "int64_t"}, 0, UINT64_MAX, small);
  refuses({"histogram", "1e+300"}, 0, 1e300, small);
  CHECK(download(s, counts) == std::vector<std::uint32_t>(4, 7));
  histogram(s, keys, counts, 0, std::uint64_t(1) << 32);
  CHECK(download(s, counts) == std::vector<std::uint32_t>{3, 0, 0, 1});
  histogram(s, small, counts, -4.0, 4u);
  CHECK(download(s, counts) == std::vector<std::uint32_t>{1, 0, 1, 1});
  auto const floats = upload(s, std::vector<float>{0.5f, 1.5f, 3.5f});
  histogram(s, floats, counts, 0, 4.0);
  CHECK(download(s, counts) == std::vector<std::uint32_t>{1, 1, 0, 1});
  auto const halves = upload(s, std::vector<half>{half(0.5f), half(1.5f)});
  histogram(s, halves, counts, half(0.0f), 4);
  CHECK(download(s, counts) == std::vector<std::uint32_t>{1, 1, 0, 0});
}
