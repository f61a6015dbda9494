// What the tests of the table "Outputs that overlap inputs" (docs/algorithms.md) share.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"

namespace testing {

using namespace dolmen;

constexpr index_t side = 64, volume = side * side;

/// A matrix of small whole numbers, of which inputs and outputs are parts.
template <class B>
struct memory_of {
  typename B::stream s;
  std::vector<float> const values = testing::whole_values<float>(volume);
  buffer<float, B> data = upload(s, values);

  view<float, 2> part(index_t row, index_t column, index_t rows, index_t columns) {
    return data.view(side, side).subview({{row, column}}, {{rows, columns}});
  }
  view<float> line(index_t first, index_t count) { return data.view().slice(first, count); }
  bool unchanged() const { return download(s, data) == values; }
  void restore() { copy(s, values, data); }

  /// Whether a call is refused with the name, before it writes anything.
  std::string refused(char const* name, std::function<void()> const& call, source_location where = source_location::current()) {
    auto const answer = complaint<invalid_argument>({name, "overlap"}, call, where);
    return answer.empty() && !unchanged() ? "refused, but something was written" : answer;
  }
};

/// The same up to rounding: where rows begin may decide how they are added up.
inline bool alike(std::vector<float> const& a, std::vector<float> const& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = std::fabs(a[i] - b[i]) <= 1e-5f * std::max(1.0f, std::fabs(a[i]));
  return same;
}

/// Operations from a matrix to one of the same shape: call(in, out).
template <class B>
void check_alike(memory_of<B>& m, char const* name, bool in_place, std::function<void(view<float const, 2>, view<float, 2>)> const& call,
                 source_location where = source_location::current()) {
  CAPTURE(name);
  buffer<float, B> apart(m.s, 30 * 30);
  auto const from = [&](index_t row, index_t column) { return view<float const, 2>(m.part(row, column, 30, 30)); };
  auto const expected_from = [&](index_t row, index_t column) {
    call(from(row, column), apart.view(30, 30));
    return download(m.s, apart);
  };

  // The output is the input itself.
  if (in_place) {
    auto const expected = expected_from(8, 8);
    call(from(8, 8), m.part(8, 8, 30, 30));
    CHECK(alike(download(m.s, m.part(8, 8, 30, 30)), expected));
    m.restore();
  } else {
    CHECK(m.refused(
              name, [&] { call(from(8, 8), m.part(8, 8, 30, 30)); }, where) == "");
  }
  // They share some elements: rows, columns, a corner, one element; from the front and from behind.
  constexpr index_t moves[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-7, 8}, {7, -8}, {-8, -8}, {26, 26}, {26, 0}, {0, 26}};
  for (auto const& [down, right] : moves) {
    CAPTURE(down);
    CAPTURE(right);
    CHECK(m.refused(
              name, [&] { call(from(8, 8), m.part(8 + down, 8 + right, 30, 30)); }, where) == "");
  }
  // They begin at one element, and go on at two strides.
  view<float, 2> const denser(m.data.data() + 8 * side + 8, {{30, 30}}, {{side - 1}});
  CHECK(m.refused(
            name, [&] { call(from(8, 8), denser); }, where) == "");
  // The rows of one lie between those of the other, but they share no element.
  for (index_t down : {0, 1, -5})
    for (bool left : {true, false}) {
      auto const expected = expected_from(8, left ? 2 : 33);
      call(from(8, left ? 2 : 33), m.part(8 + down, left ? 33 : 2, 30, 30));
      CHECK(alike(download(m.s, m.part(8 + down, left ? 33 : 2, 30, 30)), expected));
      m.restore();
    }
}

/// Operations whose output is a vector of `count` elements of T that must lie apart from a matrix: call(in, out).
template <class T, class B>
void check_vector(memory_of<B>& m, char const* name, index_t count, std::function<void(view<float const, 2>, view<T>)> const& call,
                  source_location where = source_location::current()) {
  CAPTURE(name);
  view<float const, 2> const in = m.part(8, 8, 30, 30);
  auto const out_at = [&](index_t row, index_t column) {
    return view<T>(reinterpret_cast<T*>(m.data.data() + row * side + column), count);
  };
  index_t const floats = count * index_t(sizeof(T) / sizeof(float));
  CHECK(m.refused(
            name, [&] { call(in, out_at(8, 8)); }, where) == "");
  CHECK(m.refused(
            name, [&] { call(in, out_at(20, 36)); }, where) == "");  // two of a row, and what is behind them
  CHECK(m.refused(
            name, [&] { call(in, out_at(37, 36)); }, where) == "");  // the last ones
  CHECK(m.refused(
            name, [&] { call(in, out_at(7, side + 10 - floats)); }, where) == "");  // the first ones
  buffer<T, B> apart(m.s, count);
  call(in, apart.view());
  auto const expected = download(m.s, apart);
  if (floats <= side - 30) {  // between two rows
    call(in, out_at(9, 38));
    CHECK(download(m.s, out_at(9, 38)) == expected);
    m.restore();
  }
  call(in, out_at(38, 8));
  CHECK(download(m.s, out_at(38, 8)) == expected);
  m.restore();
}

}  // namespace testing
