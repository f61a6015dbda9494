// How scans with the library's own operators are checked.
#pragma once

#include <algorithm>
#include <cmath>

#include "../backends.hpp"

#include "../support/guarded.hpp"
#include "rows.hpp"
#include "scan_reference.hpp"

namespace test_scans {

using namespace dolmen;
using testing::guarded;
using testing::place;
using testing::reference_scan;

template <class Op>
constexpr bool picks = std::same_as<Op, minimum> || std::same_as<Op, maximum>;

// In which results are computed exactly, or nearly so: a product of a million doubles in double is not.
template <class T, class Op = plus>
using wide = std::conditional_t<std::is_integral_v<T>, T, std::conditional_t<std::same_as<T, double> && !picks<Op>, long double, double>>;

struct sums {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return T(std::uint64_t(a) + std::uint64_t(b));
    else
      return a + b;
  }
};
struct times {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return T(std::uint64_t(a) * std::uint64_t(b));
    else
      return a * b;
  }
};

/// Rounded once to T, after sums whose errors grow with the number of joints: of an element's tile, of tiles, of groups.
template <class T>
bool close(T got, double exact, double magnitude, index_t n) {
  using value = std::conditional_t<sizeof(T) == 2, float, T>;
  double const bound = (128 + double(n) / 2048) * testing::roundoff<value> * magnitude + 2 * testing::roundoff<T> * std::fabs(exact);
  return std::fabs(double(got) - exact) <= bound + testing::least<T>;
}

template <class T, class Op, class Reference>
void compare(std::vector<T> const& got, std::vector<T> const& in, index_t length, Op, Reference op, std::optional<wide<T, Op>> initial) {
  auto const expected = reference_scan<wide<T, Op>>(in, length, op, initial);
  REQUIRE(got.size() == expected.size());
  if constexpr (std::is_integral_v<T>) {
    CHECK(got == expected);
  } else if constexpr (picks<Op>) {
    for (std::size_t i = 0; i < got.size(); ++i)
      if (double(got[i]) != expected[i]) FAIL_CHECK("element ", i, " of ", got.size());
  } else {
    double const first = initial ? std::fabs(double(*initial)) : 0;
    double magnitude = first;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (index_t(i) % length == 0) magnitude = first;
      magnitude = std::same_as<Op, plus> ? magnitude + std::fabs(double(in[i])) : std::fabs(double(expected[i]));
      if (!close(got[i], double(expected[i]), magnitude, length)) {
        FAIL_CHECK("element ", i, " of ", got.size(), ": ", double(got[i]), " instead of ", expected[i]);
        return;
      }
    }
  }
}

template <class T>
std::vector<T> values_for(index_t n, bool product) {
  if constexpr (std::is_integral_v<T>) {
    auto values = testing::random_values<T>(n, std::uint64_t(n) + 1);
    if (product)
      for (auto& v : values) v = T(v | 1);  // odd: no product becomes 0
    return values;
  } else {
    std::vector<T> values;
    for (double v : testing::random_values<double>(n, std::uint64_t(n) + 1)) values.push_back(T(float(product ? std::exp2(v / 64) : v)));
    return values;
  }
}

/// Both scans, apart and in place, at a place.
template <class B, class T, class Op, class Reference>
void whole(typename B::stream const& s, index_t n, place where, Op op, Reference reference) {
  CAPTURE(n);
  auto const values = values_for<T>(n, std::same_as<Op, multiplies>);
  guarded<T, B> in(s, values, where), out(s, n, {where.offset + 1, 0, where.at_end});
  inclusive_scan(s, in.const_view(), out.view(), op);
  compare(out.values(), values, std::max<index_t>(n, 1), op, reference, std::nullopt);
  CHECK(in.unchanged());
  CHECK(out.intact());
  exclusive_scan(s, in.view(), in.view(), op, {3});
  compare(in.values(), values, std::max<index_t>(n, 1), op, reference, std::optional<wide<T, Op>>(3));
  CHECK(in.intact());
}

template <class B, class T>
void every_operator(typename B::stream const& s, index_t n, place where) {
  whole<B, T>(s, n, where, plus{}, sums{});
  whole<B, T>(s, n, where, multiplies{}, times{});
  whole<B, T>(s, n, where, minimum{}, minimum{});
  whole<B, T>(s, n, where, maximum{}, maximum{});
}

/// Every length once, operators and places in turn; or all with all.
template <class B, class T>
void ladder_of() {
  typename B::stream s;
  constexpr place places[] = {{0, 0}, {0, 0, true}, {3, 0}};
  int turn = int(sizeof(T));
  for (index_t n : testing::ladder()) {
    if (testing::full_products()) {
      for (place where : places) every_operator<B, T>(s, n, where);
      continue;
    }
    place const where = places[turn++ % 3];
    if (n > 100000 && sizeof(T) != 4 && sizeof(T) != 1) continue;
    switch (turn % 4) {
      case 0:
        whole<B, T>(s, n, where, minimum{}, minimum{});
        break;
      case 1:
        whole<B, T>(s, n, where, maximum{}, maximum{});
        break;
      case 2:
        whole<B, T>(s, n, where, multiplies{}, times{});
        break;
      default:
        break;
    }
    whole<B, T>(s, n, where, plus{}, sums{});
  }
}

template <class B, class T, class Out>
void widening(typename B::stream const& s) {
  index_t const n = testing::size_of(40000, 3000);
  auto const values = values_for<T>(n, false);
  guarded<T, B> in(s, values, {1, 0});
  guarded<Out, B> out(s, n, {1, 0});
  inclusive_scan(s, in.const_view(), out.view());
  auto const got = out.values();
  wide<Out> sum = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    sum += static_cast<wide<Out>>(values[i]);
    magnitude += std::fabs(double(values[i]));
    bool right;
    if constexpr (std::is_integral_v<Out>)
      right = got[i] == sum;
    else
      right = close(got[i], double(sum), magnitude, n);
    if (!right) {
      FAIL_CHECK("element ", i);
      return;
    }
  }
  CHECK(out.intact());
}

}  // namespace test_scans
