#include <algorithm>
#include <cmath>

#include "rows.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace {

template <class T>
struct case_of {
  extents<3> shape;
  place from, to, weights;
  bool centred, gamma, beta;
  double offset = 0.5;
};

/// The largest error of a row in units of its bound. Without a mean: rms_norm. gamma and beta may be null.
template <class T>
double error_of_row(T const* x, T const* got, index_t n, bool centred, T const* gamma, T const* beta, double eps) {
  using wide = std::conditional_t<std::is_same_v<T, double>, long double, double>;
  double const u = testing::roundoff<T>, v = testing::roundoff<testing::computed_in<T>>;
  wide sum = 0, squares = 0, size = 0;
  for (index_t i = 0; i < n; ++i) sum += wide(x[i]), size = std::max(size, std::fabs(wide(x[i])));
  wide const mean = centred ? sum / wide(n) : 0;
  for (index_t i = 0; i < n; ++i) squares += (wide(x[i]) - mean) * (wide(x[i]) - mean);
  wide const scale = 1 / std::sqrt(squares / wide(n) + wide(eps));
  std::vector<double> expected, bounds;
  for (index_t i = 0; i < n; ++i) {
    wide const factor = gamma ? wide(gamma[i]) : 1, addend = centred && beta ? wide(beta[i]) : 0;
    wide const normal = (wide(x[i]) - mean) * scale, exact = normal * factor + addend;
    // The mean is off by some roundings of the largest element.
    double const roundings = 32 + std::log2(double(n));
    bounds.push_back(double(roundings * v * (std::fabs(factor) * (std::fabs(normal) + size * scale) + std::fabs(addend)) +
                            u * std::fabs(exact) + testing::least<T>));
    expected.push_back(double(exact));
  }
  return testing::worst_error(got, expected, bounds);
}

template <class T, class B>
void check_rows(typename B::stream const& s, case_of<T> const& c) {
  index_t const n = c.shape[2];
  CAPTURE(c.shape[1]);
  CAPTURE(n);
  CAPTURE(c.from.offset);
  CAPTURE(c.to.offset);
  CAPTURE(c.centred);
  auto values = testing::spread_values<T>(c.shape.volume(), 2);
  for (auto& v : values) v = T(double(v) + c.offset);
  auto const gamma = testing::spread_values<T>(n, 2, 5), beta = testing::spread_values<T>(n, 1, 6);
  guarded<T, B, 3> in(s, c.shape, values, c.from), out(s, c.shape, c.to);
  guarded<T, B> g(s, gamma, c.weights), b(s, beta, c.weights);
  auto const eps = testing::computed_in<T>(1e-3);
  auto const given = [&](bool is, guarded<T, B>& w) { return is ? w.const_view() : view<T const>(); };
  if (c.centred)
    layer_norm(s, in.const_view(), out.view(), {.gamma = given(c.gamma, g), .beta = given(c.beta, b), .eps = eps});
  else
    rms_norm(s, in.const_view(), out.view(), {.gamma = given(c.gamma, g), .eps = eps});
  auto const got = out.values();
  for (index_t row = 0; row < c.shape[0] * c.shape[1]; ++row)
    CHECK(error_of_row(values.data() + row * n, got.data() + row * n, n, c.centred, c.gamma ? gamma.data() : nullptr,
                       c.beta ? beta.data() : nullptr, double(eps)) <= 1);
  CHECK(out.intact());
  CHECK(in.unchanged());
  CHECK(g.unchanged());
  CHECK(b.unchanged());
}

template <class T, class B>
void check_lengths(typename B::stream const& s) {
  int turn = 0;
  for (index_t n : testing::row_lengths())
    for (auto const& [from, to] : testing::row_places(turn++)) {
      extents<3> const shape{{1, testing::rows_for(n), n}};
      place const weights{turn % 3 == 0 ? 1 : 0, 0};
      check_rows<T, B>(s, {shape, from, to, weights, true, turn % 2 == 0, turn % 4 < 2});
      if (n <= 40000 || turn % 2 == 0 || testing::full_products())
        check_rows<T, B>(s, {shape, from, to, weights, false, turn % 2 == 1, false});
    }
}

template <class T, class B>
void check_vectors(typename B::stream const& s) {
  int turn = 0;
  for (index_t n : testing::vector_lengths<T>()) {
    auto const [from, to] = testing::vector_places(turn++);
    extents<3> const shape{{1, n > 40000 ? 1 : testing::rows_for(n), n}};
    check_rows<T, B>(s, {shape, from, to, {8, 0}, turn % 4 != 0, turn % 5 != 0, turn % 3 != 0});
  }
}

template <class T, class B>
void check_over_and_over(typename B::stream const& s, index_t n, index_t elements) {
  CAPTURE(n);
  testing::rows_over_and_over<B> const plan(n, elements);
  auto const values = plan.template values<T>(3);
  auto const factors = testing::spread_values<T>(n, 2, 5), addends = testing::spread_values<T>(n, 1, 6);
  guarded<T, B> gamma(s, factors), beta(s, addends);
  guarded<T, B, 2> data(s, {{plan.rows, n}}, values), apart(s, {{plan.rows, n}});
  auto const eps = testing::computed_in<T>(1e-3);
  auto const check_first = [&](std::vector<T> const& got, bool centred) {
    for (index_t row = 0; row < plan.different; ++row)
      CHECK(error_of_row(values.data() + row * n, got.data() + row * n, n, centred, factors.data(), addends.data(), double(eps)) <= 1);
  };
  rms_norm(s, data.const_view(), apart.view(), {.gamma = gamma.const_view(), .eps = eps});
  auto const roots = apart.values();
  check_first(roots, false);
  CHECK(plan.differ(roots) == 0);
  layer_norm(s, data.const_view(), apart.view(), {.gamma = gamma.const_view(), .beta = beta.const_view(), .eps = eps});
  auto const got = apart.values();
  check_first(got, true);
  CHECK(plan.differ(got) == 0);
  layer_norm(s, data.view(), data.view(), {.gamma = gamma.const_view(), .beta = beta.const_view(), .eps = eps});
  CHECK(testing::same_bits(data.values(), got));
  CHECK(apart.intact());
}

/// What is exact in T: whole numbers up to 15 times a power of two, beside a number that is large for them.
template <class T>
struct range_of {
  static constexpr int highest = 120, lowest = -149;
  static constexpr double shifts[] = {1 << 20, -(1 << 23)};
};
template <>
struct range_of<double> {
  static constexpr int highest = 1018, lowest = -1074;
  static constexpr double shifts[] = {0x1p40, -0x1p52};
};
template <>
struct range_of<half> {
  static constexpr int highest = 12, lowest = -24;
  static constexpr double shifts[] = {512, -1024};
};
template <>
struct range_of<bfloat16> {
  static constexpr int highest = 120, lowest = -133;
  static constexpr double shifts[] = {64, -128};
};

/// Three rows of whole numbers times 2^power(i) beside `shift`, whose results are those of the numbers times 2^(power(i) - common).
/// The bounds know no shift and no power.
template <class T, class B, class Power>
void check_invariance(typename B::stream const& s, index_t n, bool centred, double shift, int common, Power power, place from, place to,
                      double eps = 0) {
  CAPTURE(n);
  CAPTURE(centred);
  CAPTURE(shift);
  CAPTURE(common);
  CAPTURE(power(0));
  CAPTURE(from.offset);
  std::vector<T> values;
  std::vector<double> numbers;
  std::uint32_t next = 7;
  for (index_t i = 0; i < 3 * n; ++i) {
    next = next * 1664525u + 1013904223u;
    double const whole = i % n == 0 ? 15 : i % n == 1 ? 0 : double(next >> 28);
    values.push_back(T(shift + std::ldexp(whole, power(i % n))));
    numbers.push_back(std::ldexp(whole, power(i % n) - common));
  }
  guarded<T, B, 2> in(s, {{3, n}}, values, from), out(s, {{3, n}}, to);
  auto const added = testing::computed_in<T>(eps);
  if (centred)
    layer_norm(s, in.const_view(), out.view(), {.eps = added});
  else
    rms_norm(s, in.const_view(), out.view(), {.eps = added});
  auto const got = out.values();
  double const roundings = (32 + std::log2(double(n))) * testing::roundoff<testing::computed_in<T>>;
  for (index_t row = 0; row < 3; ++row) {
    double const* const x = numbers.data() + row * n;
    using wide = long double;
    wide sum = 0, squares = 0;
    for (index_t i = 0; i < n; ++i) sum += wide(x[i]);
    wide const mean = centred ? sum / wide(n) : 0;
    for (index_t i = 0; i < n; ++i) squares += (wide(x[i]) - mean) * (wide(x[i]) - mean);
    wide const scale = 1 / std::sqrt(squares / wide(n) + std::ldexp(wide(eps), -2 * common));
    std::vector<double> expected, bounds;
    for (index_t i = 0; i < n; ++i) {
      auto const exact = double((wide(x[i]) - mean) * scale);
      expected.push_back(exact);
      bounds.push_back(roundings * (std::fabs(exact) + (centred ? 1 : 0)) + testing::roundoff<T> * std::fabs(exact) + testing::least<T>);
    }
    CHECK(testing::worst_error(got.data() + row * n, expected, bounds) <= 1);
  }
  CHECK(out.intact());
}

template <class T, class B>
void check_invariance(typename B::stream const& s) {
  using range = range_of<T>;
  int turn = 0;
  for (index_t n : {2, 8, 33, 520, 1001, 4096, 16392, 131080}) {
    if (n > 4096 && testing::small_sizes()) continue;
    ++turn;
    place const from = turn % 2 ? place{0, 0} : place{1, 3}, to = turn % 2 ? place{0, 24} : place{0, 1};
    auto const all = [](int k) { return [k](index_t) { return k; }; };
    for (double shift : range::shifts) check_invariance<T, B>(s, n, true, shift, 0, all(0), from, to, 1e-5);
    for (bool centred : {true, false})
      for (int k : {range::highest, range::highest / 2, range::lowest / 2, range::lowest}) {
        check_invariance<T, B>(s, n, centred, 0, k, all(k), from, to);
        check_invariance<T, B>(s, n, centred, 0, k, all(k), n > 1000 ? to : from, to, k > 0 ? 1e-5 : 0);
      }
    // Large and small elements in different parts of a row.
    int const high = range::highest / 2, low = -range::highest / 2;
    for (bool centred : {true, false})
      for (int first : {0, 1})
        check_invariance<T, B>(
            s, n, centred, 0, high, [=](index_t i) { return (i < n / 2) == (first == 0) ? high : low; }, from, to);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("norms: scale and shift of float rows make no difference", B, DOLMEN_TEST_BACKENDS) {
  check_invariance<float, B>(typename B::stream());
}
TEST_CASE_TEMPLATE("norms: scale and shift of double rows make no difference", B, DOLMEN_TEST_BACKENDS) {
  check_invariance<double, B>(typename B::stream());
}
TEST_CASE_TEMPLATE("norms: scale and shift of half and bfloat16 rows make no difference", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_invariance<half, B>(s);
  check_invariance<bfloat16, B>(s);
}

TEST_CASE_TEMPLATE("norms: rows at the ends of the range", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {40, 1001, 4096, 40000}) {
    if (n > 4096 && testing::small_sizes()) continue;
    CAPTURE(n);
    buffer<float, B> in(s, n), out(s, n);
    auto const all = [&](float value) {
      auto const got = download(s, out);
      return std::all_of(got.begin(), got.end(), [=](float x) { return std::fabs(x - value) <= 1e-6f * value; });
    };
    for (float value : {1e19f, 3e38f, 1e-30f, 0x1p-149f}) {
      fill(s, in, value);
      rms_norm(s, in, out, {.eps = 0});
      CHECK(all(1));
      layer_norm(s, in, out);  // constant rows: 0, also where the sum of all is beyond the range
      CHECK(all(0));
    }
    fill(s, in, 1e-30f);  // eps counts
    rms_norm(s, in, out, {.eps = 1e-4f});
    CHECK(all(1e-28f));
    fill(s, in, 0.0f);
    rms_norm(s, in, out);
    CHECK(all(0));
    rms_norm(s, in, out, {.eps = 1e-38f});
    CHECK(all(0));
  }
}

TEST_CASE_TEMPLATE("norms: float against a wider reference", B, DOLMEN_TEST_BACKENDS) { check_lengths<float, B>(typename B::stream()); }
TEST_CASE_TEMPLATE("norms: double against a wider reference", B, DOLMEN_TEST_BACKENDS) { check_lengths<double, B>(typename B::stream()); }
TEST_CASE_TEMPLATE("norms: half against a wider reference", B, DOLMEN_TEST_BACKENDS) { check_lengths<half, B>(typename B::stream()); }
TEST_CASE_TEMPLATE("norms: bfloat16 against a wider reference", B, DOLMEN_TEST_BACKENDS) {
  check_lengths<bfloat16, B>(typename B::stream());
}

TEST_CASE_TEMPLATE("norms: rows of whole vectors", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_vectors<float, B>(s);
  check_vectors<half, B>(s);
  check_vectors<bfloat16, B>(s);
}

TEST_CASE_TEMPLATE("norms: many wide rows, apart and in place", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_over_and_over<float, B>(s, testing::size_of(16392, 1000), 14'000'000);
  check_over_and_over<half, B>(s, testing::size_of(131080, 1000), 26'000'000);
}

TEST_CASE_TEMPLATE("norms: batches, strides, every choice of weights", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (bool gamma : {false, true})
    for (bool beta : {false, true}) {
      check_rows<float, B>(s, {{{3, 5, 100}}, {0, 0}, {0, 0}, {0, 0}, true, gamma, beta});
      check_rows<float, B>(s, {{{3, 5, 100}}, {1, 3}, {0, 4}, {2, 0}, true, gamma, beta});
      check_rows<half, B>(s, {{{1, 7, 1024}}, {0, 8}, {0, 8}, {0, 0}, false, gamma, beta});
    }
  check_rows<float, B>(s, {{{1, testing::size_of(70000, 700), 3}}, {0, 0}, {0, 0}, {0, 0}, true, true, true});
  check_rows<float, B>(s, {{{2, 3, testing::size_of(20000, 100)}}, {8, 4}, {16, 8}, {0, 0}, true, true, true});
}

TEST_CASE_TEMPLATE("norms: a mean that is large beside the deviations", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {100, 3000, 40000}) {
    if (n > 3000 && testing::small_sizes()) continue;
    check_rows<float, B>(s, {{{1, 3, n}}, {0, 0}, {0, 0}, {0, 0}, true, false, false, 1000});
  }
}

TEST_CASE_TEMPLATE("norms: constant rows, infinities, NaN", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {1, 70, 3001, 3008, 40000}) {
    if (n > 3008 && testing::small_sizes()) continue;
    CAPTURE(n);
    std::vector<float> values(std::size_t(3 * n), 2.0f);
    values[std::size_t(n)] = testing::quiet_nan<float>;
    values[std::size_t(3 * n - 1)] = std::numeric_limits<float>::infinity();
    auto const in = upload(s, values);
    buffer<float, B> out(s, 3 * n);
    layer_norm(s, in.view(3, n), out.view(3, n));
    auto const got = download(s, out);
    index_t wrong = 0;
    for (index_t i = 0; i < 3 * n; ++i) wrong += i < n ? got[std::size_t(i)] != 0 : !std::isnan(got[std::size_t(i)]);
    CHECK(wrong == 0);
    rms_norm(s, in.view(3, n), out.view(3, n), {.eps = 0.0f});
    auto const roots = download(s, out);
    CHECK(roots[0] == doctest::Approx(1).epsilon(1e-6));
    CHECK(std::isnan(roots[std::size_t(2 * n - 1)]));
    CHECK(std::isnan(roots[std::size_t(3 * n - 1)]));  // inf / inf
  }
}

TEST_CASE_TEMPLATE("norms: in place, and the same bits as apart", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {33, 1000, 20001, 140003}) {
    if (n > 1000 && testing::small_sizes()) continue;
    guarded<float, B, 2> data(s, {{3, n}}, testing::spread_values<float>(3 * n, 3), {0, 1}), apart(s, {{3, n}}, place{0, 1});
    layer_norm(s, data.const_view(), apart.view());
    layer_norm(s, data.view(), data.view());
    CHECK(testing::same_bits(data.values(), apart.values()));
    CHECK(data.intact());
  }
}

TEST_CASE_TEMPLATE("norms: nothing, and what does not fit", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  layer_norm(s, view<float const, 2>(nullptr, 0, 5), view<float, 2>(nullptr, 0, 5));
  rms_norm(s, view<double const, 2>(nullptr, 5, 0), view<double, 2>(nullptr, 5, 0));
  buffer<float, B> a(s, 60), b(s, 60), w(s, 7);
  fill(s, a, 1.0f);
  fill(s, w, 1.0f);
  CHECK(complaint<invalid_argument>({"layer_norm", "6 x 10", "10 x 6"}, [&] { layer_norm(s, a.view(6, 10), b.view(10, 6)); }) == "");
  CHECK(complaint<invalid_argument>({"rms_norm", "gamma", "7", "10"}, [&] { rms_norm(s, a.view(6, 10), b.view(6, 10), {.gamma = w}); }) ==
        "");
  CHECK(complaint<invalid_argument>({"layer_norm", "beta", "7", "6 x 10"},
                                    [&] { layer_norm(s, a.view(6, 10), b.view(6, 10), {.beta = w}); }) == "");
  CHECK(complaint<invalid_argument>({"rms_norm", "overlap"}, [&] { rms_norm(s, a.view().slice(0, 30), a.view().slice(1, 30)); }) == "");
  CHECK(complaint<invalid_argument>({"layer_norm", "overlaps gamma"},
                                    [&] { layer_norm(s, a.view(6, 10), b.view(6, 10), {.gamma = b.view().slice(3, 10)}); }) == "");
}
