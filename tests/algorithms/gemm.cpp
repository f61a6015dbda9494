#include <cmath>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::quiet_nan;
using testing::random_values;

namespace {

struct problem {
  index_t m, n, k;
  double alpha = 1, beta = 0;
};

/// Largest error in units of the bound k eps |alpha| |A||B| + eps |beta C|, element by element.
template <class T>
double worst(problem p, std::vector<T> const& a, std::vector<T> const& b, std::vector<T> const& before, std::vector<T> const& after) {
  double const eps = std::numeric_limits<T>::epsilon();
  double most = 0;
  for (index_t i = 0; i < p.m; ++i)
    for (index_t j = 0; j < p.n; ++j) {
      double sum = 0, magnitude = 0;
      for (index_t l = 0; l < p.k; ++l) {
        double const product = double(a[std::size_t(i * p.k + l)]) * double(b[std::size_t(l * p.n + j)]);
        sum += product;
        magnitude += std::fabs(product);
      }
      auto const at = std::size_t(i * p.n + j);
      double const old = p.beta == 0 ? 0 : p.beta * double(before[at]);
      double const expected = (p.alpha == 0 ? 0 : p.alpha * sum) + old;
      double const allowed = eps * (double(p.k + 2) * std::fabs(p.alpha) * magnitude + 2 * std::fabs(old)) + 1e-300;
      double const error = std::fabs(double(after[at]) - expected);
      most = testing::worse(most, error / allowed);
    }
  return most;
}

template <class T, class B>
void multiply(typename B::stream const& s, problem p, testing::place where = {}) {
  CAPTURE(p.m);
  CAPTURE(p.n);
  CAPTURE(p.k);
  auto const a = random_values<T>(p.m * p.k, 1), b = random_values<T>(p.k * p.n, 2);
  // With beta = 0 what is in C must not matter.
  auto const c = p.beta == 0 ? std::vector<T>(std::size_t(p.m * p.n), quiet_nan<T>) : random_values<T>(p.m * p.n, 3);
  guarded<T, B, 2> left(s, {{p.m, p.k}}, a, where), right(s, {{p.k, p.n}}, b, where), out(s, {{p.m, p.n}}, c, where);
  gemm(s, T(p.alpha), left.const_view(), right.const_view(), T(p.beta), out.view());
  REQUIRE(worst(p, a, b, c, out.values()) <= 1);
  REQUIRE(out.intact());
  REQUIRE(left.unchanged());
  REQUIRE(right.unchanged());
}

}  // namespace

TEST_CASE_TEMPLATE("gemm: sizes, each of them odd, empty or one", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t m : {0, 1, 3, 33, 65})
    for (index_t n : {0, 1, 17, 64})
      for (index_t k : {0, 1, 5, 300}) {
        multiply<float, B>(s, {m, n, k});
        multiply<double, B>(s, {m, n, k, 1.5, -0.5});
      }
  multiply<float, B>(s, {127, 129, 257});
  multiply<double, B>(s, {128, 128, 128, -1, 1});
  multiply<float, B>(s, {1, 2000, 3, 2, 2});
  multiply<float, B>(s, {2000, 1, 3, 2, 2});
}

TEST_CASE_TEMPLATE("gemm: row strides, offsets, ends of allocations", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (testing::place where : {testing::place{1, 0}, {0, 3}, {3, 5}, {1, 2, true}})
    for (problem p : {problem{33, 65, 17, 1, 0}, {64, 64, 64, 2, 0.5}, {5, 3, 1000, -1, 1}}) {
      multiply<float, B>(s, p, where);
      multiply<double, B>(s, p, where);
    }
}

TEST_CASE_TEMPLATE("gemm: exact for small whole numbers", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const m = 70, n = 50, k = 90;
  auto const a = testing::whole_values<float>(m * k, 1), b = testing::whole_values<float>(k * n, 2);
  auto const x = upload(s, a), y = upload(s, b);
  buffer<float, B> z(s, m * n);
  gemm(s, 1, x.view(m, k), y.view(k, n), 0, z.view(m, n));
  auto const c = download(s, z);
  for (index_t i = 0; i < m; ++i)
    for (index_t j = 0; j < n; ++j) {
      float expected = 0;
      for (index_t l = 0; l < k; ++l) expected += a[std::size_t(i * k + l)] * b[std::size_t(l * n + j)];
      REQUIRE(c[std::size_t(i * n + j)] == expected);
    }
}

TEST_CASE_TEMPLATE("gemm: what BLAS does not read", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = 40;
  auto const values = random_values<float>(n * n);
  std::vector<float> const poison(std::size_t(n * n), quiet_nan<float>);
  auto const nans = upload(s, poison);
  // alpha = 0: A and B are not read, C = beta C.
  auto c = upload(s, values);
  gemm(s, 0, nans.view(n, n), nans.view(n, n), 2, c.view(n, n));
  auto const doubled = download(s, c);
  for (std::size_t i = 0; i < doubled.size(); ++i) REQUIRE(doubled[i] == 2 * values[i]);
  gemm(s, 0, nans.view(n, n), nans.view(n, n), 1, c.view(n, n));
  CHECK(download(s, c) == doubled);
  // K = 0: C = beta C, also where alpha is NaN.
  gemm(s, quiet_nan<float>, nans.view(n, 0), nans.view(0, n), 0.5f, c.view(n, n));
  CHECK(download(s, c) == values);
  // beta = 0: C is not read.
  auto z = upload(s, poison);
  gemm(s, 0, nans.view(n, n), nans.view(n, n), 0, z.view(n, n));
  CHECK(download(s, z) == std::vector<float>(std::size_t(n * n), 0.0f));
  // Otherwise NaN comes through.
  gemm(s, 1, c.view(n, n), nans.view(n, n), 0, z.view(n, n));
  for (float x : download(s, z)) REQUIRE(std::isnan(x));
}

TEST_CASE_TEMPLATE("gemm: bit-identical from run to run", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = 150;
  auto const a = upload(s, random_values<float>(n * n, 1)), b = upload(s, random_values<float>(n * n, 2));
  buffer<float, B> c(s, n * n);
  gemm(s, 1, a.view(n, n), b.view(n, n), 0, c.view(n, n));
  auto const first = download(s, c);
  for (int i = 0; i < 5; ++i) {
    fill(s, c, quiet_nan<float>);
    gemm(s, 1, a.view(n, n), b.view(n, n), 0, c.view(n, n));
    CHECK(download(s, c) == first);
  }
}

TEST_CASE_TEMPLATE("gemm: shapes that do not multiply are named", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<double, B> b(s, 100);
  auto const v = [&](index_t r, index_t c) { return b.view(r, c); };
  CHECK(complaint<invalid_argument>({"gemm", "3 x 4", "5 x 6", "3 x 6"}, [&] { gemm(s, 1, v(3, 4), v(5, 6), 0, v(3, 6)); }) == "");
  CHECK(complaint<invalid_argument>({"3 x 4", "4 x 6", "2 x 6"}, [&] { gemm(s, 1, v(3, 4), v(4, 6), 0, v(2, 6)); }) == "");
  CHECK(complaint<invalid_argument>({"3 x 4", "4 x 6", "3 x 7"}, [&] { gemm(s, 1, v(3, 4), v(4, 6), 0, v(3, 7)); }) == "");
  CHECK(complaint<invalid_argument>({"0 x 4", "5 x 0"}, [&] { gemm(s, 1, v(0, 4), v(5, 0), 0, v(0, 0)); }) == "");
}
