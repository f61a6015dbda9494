#include <cmath>
#include <verdict.hpp>

#include <doctest/doctest.h>
#include <problem.hpp>

using study::verdict;

TEST_CASE("0/0 is a match, NaN where none belongs is not") {
  double const nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  CHECK(study::error_ratio(0.0, 0.0, 0.0) == 0);
  CHECK(study::error_ratio(nan, nan, 1.0) == 0);
  CHECK(study::error_ratio(inf, inf, 1.0) == 0);
  CHECK(study::error_ratio(nan, 1.0, 1.0) == inf);
  CHECK(study::error_ratio(1.0, 0.0, 0.0) == inf);
  CHECK(study::error_ratio(1.5, 1.0, 2.0) == 0.25);
  CHECK_FALSE(verdict{inf, 1.0}.ok());
  CHECK(verdict{0, 0}.ok());
}

TEST_CASE("bounds grow as theory says") {
  CHECK(study::rounding_bound<float>(1) == doctest::Approx(0x1p-24));
  CHECK(study::product_bound<float>(4096) == doctest::Approx(8 * 64 * 0x1p-24));
  CHECK(study::product_bound<double>(100) == doctest::Approx(80 * 0x1p-53));
  CHECK(study::tree_sum_bound<float>(1 << 20) < study::tree_sum_bound<float>(1 << 24));
  CHECK(study::rounding_bound<int>(5) == 0);
}

namespace {

template <class T, class Out = T>
study::problem<T, Out> const& as(study::problem_ptr const& p) {
  return dynamic_cast<study::problem<T, Out> const&>(*p);
}

template <class T>
std::vector<T> product(study::problem<T> const& p) {
  auto const n = p.n;
  std::vector<T> c(std::size_t(n * n), T(0));
  for (study::index_t i = 0; i < n; ++i)
    for (study::index_t k = 0; k < n; ++k)
      for (study::index_t j = 0; j < n; ++j) c[std::size_t(i * n + j)] += p.in[0][i * n + k] * p.in[1][k * n + j];
  return c;
}

}  // namespace

TEST_CASE("a product is checked in every element, also where only some rows are compared") {
  for (study::index_t n : {1, 37, 520}) {
    auto const holder = study::product_problem<float>(n);
    auto const& p = as<float>(holder);
    auto c = product(p);
    CHECK(p.check(c).ok());
    auto const middle = std::size_t((n / 2) * n + n / 3);
    float const right = c[middle];
    c[middle] = std::nanf("");
    CHECK_FALSE(p.check(c).ok());
    c[middle] = right + 0.1f * float(n);
    CHECK_FALSE(p.check(c).ok());
  }
}

TEST_CASE("a double product is checked in more than double") {
  auto const holder = study::product_problem<double>(64);
  auto c = product(as<double>(holder));
  CHECK(as<double>(holder).check(c).ok());
  c[5] += 1e-12;
  CHECK_FALSE(as<double>(holder).check(c).ok());
}

TEST_CASE("sums") {
  auto const holder = study::sum_problem<std::int32_t>(1000);
  auto const& p = as<std::int32_t, std::int64_t>(holder);
  std::int64_t sum = 0;
  for (study::index_t i = 0; i < 1000; ++i) sum += p.in[0][i];
  CHECK(p.check(std::vector{sum}).ok());
  CHECK_FALSE(p.check(std::vector{sum + 1}).ok());

  auto const floats = study::sum_problem<float>(1 << 16);
  auto const& q = as<float>(floats);
  double exact = 0;
  for (study::index_t i = 0; i < q.n; ++i) exact += double(q.in[0][i]);
  CHECK(q.check(std::vector{float(exact)}).ok());
  CHECK_FALSE(q.check(std::vector{float(exact) + 1}).ok());
}

TEST_CASE("input is random, and the same for every run") {
  auto const a = study::copy_problem<float>(10000), b = study::copy_problem<float>(10000);
  auto const &x = as<float>(a).in[0], &y = as<float>(b).in[0];
  double mean = 0, square = 0;
  bool same = true;
  for (study::index_t i = 0; i < x.size(); ++i) {
    same = same && x[i] == y[i];
    mean += double(x[i]) / double(x.size());
    square += double(x[i]) * double(x[i]) / double(x.size());
  }
  CHECK(same);
  CHECK(std::fabs(mean) < 0.05);
  CHECK(square == doctest::Approx(1.0 / 3).epsilon(0.05));
}
