// What the tests of transform share: functions, and views of every kind around them.
#pragma once

#include <array>
#include <tuple>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

namespace transform_tests {

using namespace dolmen;
using testing::guarded;
using testing::place;

/// What an element is, for values that come out exactly in every type.
template <class T>
std::vector<T> small_values(index_t n, std::uint64_t seed) {
  std::vector<T> values(static_cast<std::size_t>(n));
  auto const whole = testing::whole_values<int>(n, seed);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(std::is_unsigned_v<T> ? whole[i] + 8 : whole[i]);
  return values;
}

template <class T>
bool equal(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

struct twice_plus_one {
  template <class T>
  DOLMEN_FN auto operator()(T x) const {
    return 2 * x + 1;
  }
};
struct negate_number {
  DOLMEN_FN float operator()(float x) const { return -x; }
};
struct weighted {
  template <class T, class U>
  DOLMEN_FN auto operator()(T x, U y) const {
    return 3 * x - y;
  }
};
struct choose {
  template <class T, class U, class V>
  DOLMEN_FN auto operator()(T x, U y, V z) const {
    return x > 0 ? y + 2 * z : z - y;
  }
};

/// The shapes at hand, dense, with an offset, with gaps, at the end of the allocation; each input lies differently.
inline std::vector<std::array<place, 4>> places() {
  std::vector<std::array<place, 4>> all{{place{}, {}, {}, {}},
                                        {place{1}, {}, {}, {}},
                                        {place{}, {3}, {1}, {}},
                                        {place{0, 5, true}, {0, 1, true}, {2, 3}, {0, 0, true}},
                                        {place{16, 48}, {32, 16}, {0, 32}, {}}};
  if (testing::full_products())
    for (index_t offset : {0, 1, 4, 16})
      for (index_t gap : {0, 1, 16}) all.push_back({place{offset, gap}, {offset, gap}, {4, 16}, {}});
  return all;
}

template <class Out, class B, class F, class... In, std::size_t... I>
void check_shape(typename B::stream const& s, extents<3> shape, F f, std::index_sequence<I...>) {
  std::tuple<std::vector<In>...> const values{small_values<In>(shape.volume(), I + 1)...};
  std::vector<Out> expected(std::size_t(shape.volume()));
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<Out>(f(std::get<I>(values)[i]...));
  auto const all = places();
  bool const only_one = shape.volume() > 5000 && !testing::full_products();
  for (auto const& where : only_one ? std::vector{all[3]} : all) {
    CAPTURE(where[0].offset);
    CAPTURE(where[0].gap);
    guarded<Out, B, 3> out(s, shape, where[0]);
    std::tuple<guarded<In, B, 3>...> inputs{guarded<In, B, 3>(s, shape, std::get<I>(values), where[I + 1])...};
    transform(s, std::get<I>(inputs).const_view()..., out.view(), f);
    REQUIRE(equal(out.values(), expected));
    REQUIRE(out.intact());
    REQUIRE((std::get<I>(inputs).unchanged() && ...));
  }
}

/// Lengths of the ladder as one row, and shapes with rows.
template <class Out, class B, class F, class... In>
void check_all(typename B::stream const& s, F f) {
  std::index_sequence_for<In...> const inputs;
  for (index_t n : testing::ladder(4097)) check_shape<Out, B, F, In...>(s, {{1, 1, n}}, f, inputs);
  for (extents<3> shape : {extents<3>{{1, 37, 5}}, {{3, 5, 17}}, {{2, 300, 1}}, {{2, 3, 1030}}, {{1, 2, 4100}}, {{4, 0, 3}}}) {
    CAPTURE(shape[1]);
    check_shape<Out, B, F, In...>(s, shape, f, inputs);
  }
}

}  // namespace transform_tests
