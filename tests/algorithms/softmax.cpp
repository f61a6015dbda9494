#include <algorithm>
#include <cmath>

#include "rows.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct expected_row {
  std::vector<double> values, bounds;
};

/// In double, or wider for double. The element's distance to the maximum is rounded: each unit of it is a rounding more.
template <class T>
expected_row reference(T const* x, index_t n, bool logarithm) {
  using wide = std::conditional_t<std::is_same_v<T, double>, long double, double>;
  double const u = testing::roundoff<T>, v = testing::roundoff<testing::computed_in<T>>;
  wide most = -infinity, sum = 0;
  for (index_t i = 0; i < n; ++i) most = std::max(most, wide(x[i]));
  for (index_t i = 0; i < n; ++i) sum += std::exp(wide(x[i]) - most);
  expected_row row;
  for (index_t i = 0; i < n; ++i) {
    wide const below = wide(x[i]) - most;
    wide const exact = logarithm ? below - std::log(sum) : std::exp(below) / sum;
    double const size = std::fabs(double(exact));
    double const computed = logarithm ? v * (std::fabs(double(below)) + 2 * std::fabs(double(std::log(sum))) + 32)
                                      : v * size * (std::fabs(double(below)) + 32 + std::log2(double(n)));
    row.values.push_back(double(exact));
    row.bounds.push_back(computed + u * size + testing::least<T>);
  }
  return row;
}

template <class T, class B>
void check_rows(typename B::stream const& s, extents<3> shape, place from, place to, bool logarithm, double spread) {
  CAPTURE(shape[1]);
  CAPTURE(shape[2]);
  CAPTURE(from.offset);
  CAPTURE(to.offset);
  CAPTURE(logarithm);
  auto const values = testing::spread_values<T>(shape.volume(), spread);
  guarded<T, B, 3> in(s, shape, values, from), out(s, shape, to);
  if (logarithm)
    log_softmax(s, in.const_view(), out.view());
  else
    softmax(s, in.const_view(), out.view());
  auto const got = out.values();
  for (index_t row = 0; row < shape[0] * shape[1]; ++row) {
    auto const expected = reference(values.data() + row * shape[2], shape[2], logarithm);
    CHECK(testing::worst_error(got.data() + row * shape[2], expected.values, expected.bounds) <= 1);
  }
  CHECK(out.intact());
  CHECK(in.unchanged());
}

template <class T, class B>
void check_lengths(typename B::stream const& s) {
  int turn = 0;
  for (index_t n : testing::row_lengths())
    for (auto const& [from, to] : testing::row_places(turn++))
      for (bool logarithm : {false, true}) {
        if (!testing::full_products() && n > 40000 && logarithm != (turn % 2 == 0)) continue;
        check_rows<T, B>(s, {{1, testing::rows_for(n), n}}, from, to, logarithm, turn % 3 == 0 ? 40.0 : 4.0);
      }
}

template <class T, class B>
void check_vectors(typename B::stream const& s) {
  int turn = 0;
  for (index_t n : testing::vector_lengths<T>()) {
    auto const [from, to] = testing::vector_places(turn++);
    check_rows<T, B>(s, {{1, n > 40000 ? 1 : testing::rows_for(n), n}}, from, to, turn % 2 == 0, turn % 3 == 0 ? 40.0 : 4.0);
  }
}

template <class T, class B>
void check_over_and_over(typename B::stream const& s, index_t n, index_t elements) {
  CAPTURE(n);
  testing::rows_over_and_over<B> const plan(n, elements);
  auto const values = plan.template values<T>(8);
  guarded<T, B, 2> data(s, {{plan.rows, n}}, values), apart(s, {{plan.rows, n}});
  for (bool logarithm : {false, true}) {
    auto const run = [&](view<T const, 2> in, view<T, 2> out) { logarithm ? log_softmax(s, in, out) : softmax(s, in, out); };
    run(data.const_view(), apart.view());
    auto const got = apart.values();
    for (index_t row = 0; row < plan.different; ++row) {
      auto const expected = reference(values.data() + row * n, n, logarithm);
      CHECK(testing::worst_error(got.data() + row * n, expected.values, expected.bounds) <= 1);
    }
    CHECK(plan.differ(got) == 0);
    if (logarithm) continue;
    run(data.view(), data.view());
    CHECK(testing::same_bits(data.values(), got));
    data.set(values);
  }
  CHECK(apart.intact());
}

template <class T, class B>
void check_special(typename B::stream const& s, index_t n) {
  CAPTURE(n);
  T const nan = testing::number<T>(testing::quiet_nan<double>), inf = testing::number<T>(infinity), least = testing::number<T>(-infinity);
  index_t const middle = n / 2;
  // 0: one finite; 1: all -inf; 2: a NaN; 3: +inf; 4: NaN among -inf; 5: +inf among -inf; 6: equal ones
  std::vector<T> values(std::size_t(7 * n), least);
  auto const at = [&](index_t row, index_t i) -> T& { return values[std::size_t(row * n + i)]; };
  for (index_t row : {2, 3, 6})
    for (index_t i = 0; i < n; ++i) at(row, i) = T(1.0f);
  at(0, middle) = T(-300.0f);  // of which exp is 0
  at(2, n - 1) = at(4, middle) = nan;
  at(3, 0) = at(5, middle) = inf;
  guarded<T, B, 2> in(s, {{7, n}}, values), out(s, {{7, n}});
  for (bool logarithm : {false, true}) {
    if (logarithm)
      log_softmax(s, in.view(), out.view());
    else
      softmax(s, in.view(), out.view());
    auto const got = out.values();
    index_t wrong = 0;
    double const equal = logarithm ? -std::log(double(n)) : 1 / double(n);
    for (index_t row = 0; row < 7; ++row)
      for (index_t i = 0; i < n; ++i) {
        double const value = double(got[std::size_t(row * n + i)]);
        if (row == 0)
          wrong += value != (i == middle ? (logarithm ? 0.0 : 1.0) : (logarithm ? -infinity : 0.0));
        else if (row == 6)
          wrong +=
              !(std::fabs(value - equal) <= 2 * testing::roundoff<T> * std::fabs(equal) +
                                                64 * testing::roundoff<testing::computed_in<T>> * std::fabs(equal) + testing::least<T>);
        else
          wrong += !std::isnan(value);
      }
    CHECK(wrong == 0);
  }
}

template <class T, class B>
void check_in_place(typename B::stream const& s, extents<2> shape, place where) {
  auto const values = testing::spread_values<T>(shape.volume(), 8);
  guarded<T, B, 2> data(s, shape, values, where), apart(s, shape, where);
  softmax(s, data.const_view(), apart.view());
  softmax(s, data.view(), data.view());
  CHECK(testing::same_bits(data.values(), apart.values()));
  CHECK(data.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("softmax: float against a wider reference", B, DOLMEN_TEST_BACKENDS) { check_lengths<float, B>(typename B::stream()); }
TEST_CASE_TEMPLATE("softmax: double against a wider reference", B, DOLMEN_TEST_BACKENDS) { check_lengths<double, B>(typename B::stream()); }
TEST_CASE_TEMPLATE("softmax: half against a wider reference", B, DOLMEN_TEST_BACKENDS) { check_lengths<half, B>(typename B::stream()); }
TEST_CASE_TEMPLATE("softmax: bfloat16 against a wider reference", B, DOLMEN_TEST_BACKENDS) {
  check_lengths<bfloat16, B>(typename B::stream());
}

TEST_CASE_TEMPLATE("softmax: rows of whole vectors", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_vectors<float, B>(s);
  check_vectors<half, B>(s);
  check_vectors<bfloat16, B>(s);
}

TEST_CASE_TEMPLATE("softmax: many wide rows, apart and in place", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_over_and_over<float, B>(s, testing::size_of(16392, 1000), 14'000'000);
  check_over_and_over<half, B>(s, testing::size_of(131080, 1000), 26'000'000);
}

TEST_CASE_TEMPLATE("softmax: batches and strides", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_rows<float, B>(s, {{3, 5, 100}}, {0, 0}, {0, 0}, false, 4);
  check_rows<float, B>(s, {{3, 5, 100}}, {1, 3}, {0, 4}, false, 4);
  check_rows<half, B>(s, {{4, 1, 65}}, {0, 7}, {2, 0}, true, 4);
  check_rows<double, B>(s, {{2, 40, 33}}, {1, 1}, {1, 1}, false, 4);
  check_rows<float, B>(s, {{1, testing::size_of(70000, 700), 3}}, {0, 0}, {0, 0}, false, 4);
  check_rows<float, B>(s, {{2, 3, testing::size_of(20000, 100)}}, {8, 4}, {16, 8}, false, 4);
}

TEST_CASE_TEMPLATE("softmax: infinities and NaN", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {1, 3, 100, 1000, 5000, 20000, 65536, 70001, 150001}) {
    if (n > 5000 && testing::small_sizes()) continue;
    if (n == 1) continue;  // row 0 and 6 are the same there
    check_special<float, B>(s, n);
    check_special<half, B>(s, n);
    check_special<bfloat16, B>(s, n);
    check_special<double, B>(s, n);
  }
}

TEST_CASE_TEMPLATE("softmax: far from 0", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (float shift : {-3e38f, -1000.0f, 1000.0f, 3e38f}) {
    CAPTURE(shift);
    std::vector<float> const values{shift, shift, shift, shift};
    buffer<float, B> out(s, 4);
    fill(s, out, testing::quiet_nan<float>);
    softmax(s, upload(s, values), out);
    CHECK(download(s, out) == std::vector<float>(4, 0.25f));
  }
  std::vector<float> const apart{-3e38f, 3e38f, -100.0f};
  buffer<float, B> out(s, 3);
  softmax(s, upload(s, apart), out);
  CHECK(download(s, out) == std::vector<float>{0, 1, 0});
}

TEST_CASE_TEMPLATE("softmax: in place, and the same bits as apart", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_in_place<float, B>(s, {{7, 1000}}, {0, 0});
  check_in_place<float, B>(s, {{5, 33}}, {1, 2});
  check_in_place<half, B>(s, {{3, 4099}}, {0, 5});
  check_in_place<double, B>(s, {{2, testing::size_of(140003, 3001)}}, {0, 0});
}

TEST_CASE_TEMPLATE("softmax: a number added to a row makes no difference", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const check = [&]<class T>(T, double shift) {
    for (index_t n : {33, 520, 4097, 40000}) {
      if (n > 4097 && testing::small_sizes()) continue;
      CAPTURE(n);
      std::vector<T> values, shifted;
      for (float whole : testing::whole_values<float>(2 * n)) values.push_back(T(whole)), shifted.push_back(T(double(whole) + shift));
      guarded<T, B, 2> in(s, {{2, n}}, values), moved(s, {{2, n}}, shifted), first(s, {{2, n}}, place{}), second(s, {{2, n}}, place{});
      softmax(s, in.const_view(), first.view());
      softmax(s, moved.const_view(), second.view());
      CHECK(testing::same_bits(first.values(), second.values()));
      log_softmax(s, in.const_view(), first.view());
      log_softmax(s, moved.const_view(), second.view());
      CHECK(testing::same_bits(first.values(), second.values()));
    }
  };
  check(1.0f, 0x1p22);
  check(1.0, -0x1p50);
  check(half(1.0f), 512);
  check(bfloat16(1.0f), -64);
  // Differences beyond the range are as good as infinite.
  std::vector<float> ends(1000, -3e38f);
  ends[7] = 3e38f;
  auto const in = upload(s, ends);
  buffer<float, B> out(s, 1000);
  softmax(s, in, out);
  std::vector<float> expected(1000, 0);
  expected[7] = 1;
  CHECK(download(s, out) == expected);
}

TEST_CASE_TEMPLATE("softmax: nothing, and what does not fit", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  softmax(s, view<float const, 2>(nullptr, 0, 5), view<float, 2>(nullptr, 0, 5));
  softmax(s, view<float const, 2>(nullptr, 5, 0), view<float, 2>(nullptr, 5, 0));
  log_softmax(s, view<half const>(), view<half>());
  buffer<float, B> a(s, 60), b(s, 60);
  fill(s, a, 1.0f);
  CHECK(complaint<invalid_argument>({"softmax", "6 x 10", "10 x 6"}, [&] { softmax(s, a.view(6, 10), b.view(10, 6)); }) == "");
  CHECK(complaint<invalid_argument>({"log_softmax", "overlap"}, [&] { log_softmax(s, a.view().slice(0, 30), a.view().slice(1, 30)); }) ==
        "");
  CHECK(complaint<invalid_argument>({"overlap"}, [&] {
          softmax(s, view<float, 2>(a.data(), {{3, 5}}, {{10}}), view<float, 2>(a.data(), {{3, 5}}, {{5}}));
        }) == "");
  // Side by side in one matrix.
  softmax(s, a.view(6, 10).subview({{0, 0}}, {{6, 5}}), a.view(6, 10).subview({{0, 5}}, {{6, 5}}));
  CHECK(download(s, a.view(6, 10).row(3)) == std::vector<float>{1, 1, 1, 1, 1, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f});
}

#if DOLMEN_HAS_CPU
DOLMEN_TEST_CHILD(prints_softmax) {
  dolmen::cpu::stream s;
  std::cout << std::hexfloat;
  for (index_t n : {100, 5000, 70001, 300007}) {
    auto const in = upload(s, testing::spread_values<float>(3 * n, 8));
    buffer<float, dolmen::cpu::backend> out(s, 3 * n);
    softmax(s, in.view(3, n), out.view(3, n));
    std::cout << sum(s, out) << ' ';
    layer_norm(s, in.view(3, n), out.view(3, n));
    std::cout << sum(s, out) << '\n';
  }
}

TEST_CASE_TEMPLATE("softmax, layer_norm: bit-identical whatever the number of threads", B, dolmen::cpu::backend) {
  auto const one = testing::run_child("prints_softmax", {{"OMP_NUM_THREADS", "1"}});
  CHECK(one.status == 0);
  CHECK(one.output.size() > 20);
  for (std::string const threads : {"2", "3", "7"}) {
    CAPTURE(threads);
    CHECK(testing::run_child("prints_softmax", {{"OMP_NUM_THREADS", threads}}).output == one.output);
  }
}
#endif
