// The bounds of sums, and of what is exact: counts, selections, orders.
#include "bounds.hpp"

#include <problems/sparse.hpp>

#include <algorithm>

using namespace bounds;
using std::fabs;

namespace {

template <class T, class Out>
void check_sum(study::problem_ptr const& holder, double v) {
  auto const& p = as<T, Out>(holder);
  auto const total = [&](auto f) { return sum_of(0, p.n, 1, [&](index_t i) { return f(real(p.in[0][i])); }); };
  check_bound(
      p, (64 + std::log2(double(p.n))) * v, [&](index_t) { return total([](real x) { return x; }); },
      [&](index_t) { return total([](real x) { return fabs(x); }); });
}

}  // namespace

TEST_CASE("bounds: sums") {
  for (index_t n : {5000, 300'000}) {
    check_sum<float, float>(study::sum_problem<float>(n), u);
    check_sum<double, double>(study::sum_problem<double>(n), u_double);
    check_sum<dolmen::half, float>(study::sum_problem<dolmen::half>(n), u);
    auto const bytes = study::sum_problem<std::int8_t>(n);
    std::int64_t sum = 0;
    for (index_t i = 0; i < n; ++i) sum += as<std::int8_t, std::int64_t>(bytes).in[0][i];
    check_exact(as<std::int8_t, std::int64_t>(bytes), [=](index_t) { return sum; });
    auto const place = study::argmin_problem(n);
    auto const& values = as<float, index_t>(place).in[0];
    check_exact(as<float, index_t>(place), [&](index_t) { return std::min_element(values.data(), values.data() + n) - values.data(); });
  }
  index_t const n = 5000;
  auto const dot = study::dot_problem<float>(n), wide = study::dot_problem<double>(n);
  auto const product = [](auto const& p, index_t i) { return real(p.in[0][i]) * real(p.in[1][i]); };
  double const roundings = 64 + std::log2(double(n));
  check_bound(
      as<float>(dot), roundings * u, [&](index_t) { return sum_of(0, n, 1, [&](index_t i) { return product(as<float>(dot), i); }); },
      [&](index_t) { return sum_of(0, n, 1, [&](index_t i) { return fabs(product(as<float>(dot), i)); }); });
  check_bound(
      as<double>(wide), roundings * u_double,
      [&](index_t) { return sum_of(0, n, 1, [&](index_t i) { return product(as<double>(wide), i); }); },
      [&](index_t) { return sum_of(0, n, 1, [&](index_t i) { return fabs(product(as<double>(wide), i)); }); });
}

TEST_CASE("bounds: sums of lines and blocks") {
  index_t const side = 150;
  auto const rows = study::row_sums_problem(side), columns = study::column_sums_problem(side);
  double const roundings = 64 + std::log2(double(side));
  auto const at = [](study::problem_ptr const& p, index_t i) { return real(as<float>(p).in[0][i]); };
  auto const size = [&](study::problem_ptr const& p, index_t i) { return fabs(at(p, i)); };
  check_bound(
      as<float>(rows), roundings * u, [&](index_t k) { return sum_of(k * side, side, 1, [&](index_t i) { return at(rows, i); }); },
      [&](index_t k) { return sum_of(k * side, side, 1, [&](index_t i) { return size(rows, i); }); });
  check_bound(
      as<float>(columns), roundings * u, [&](index_t k) { return sum_of(k, side, side, [&](index_t i) { return at(columns, i); }); },
      [&](index_t k) { return sum_of(k, side, side, [&](index_t i) { return size(columns, i); }); });
  index_t const n = 3000;
  auto const blocks = study::block_sum_problem<float>(n);
  auto const count = [&](index_t b) { return std::min(index_t(256), n - b * 256); };
  check_bound(
      as<float>(blocks), 8 * u, [&](index_t b) { return sum_of(b * 256, count(b), 1, [&](index_t i) { return at(blocks, i); }); },
      [&](index_t b) { return sum_of(b * 256, count(b), 1, [&](index_t i) { return size(blocks, i); }); });
  auto const scan = study::block_scan_problem(n);
  auto const first = [](index_t i) { return i / 1024 * 1024; };
  check_bound(
      as<float>(scan), 19 * u, [&](index_t k) { return sum_of(first(k), k - first(k) + 1, 1, [&](index_t i) { return at(scan, i); }); },
      [&](index_t k) { return sum_of(first(k), k - first(k) + 1, 1, [&](index_t i) { return size(scan, i); }); });
}

namespace {

template <class T, class Out>
void check_product(study::problem_ptr const& holder, double per_root) {
  auto const& p = as<T, Out>(holder);
  index_t const n = p.n;
  auto const a = [&](index_t i, index_t k) { return real(p.in[0][i * n + k]); };
  auto const b = [&](index_t k, index_t j) { return real(p.in[1][k * n + j]); };
  auto const norms = [&](index_t at) {
    return std::sqrt(sum_of(0, n, 1, [&](index_t k) { return a(at / n, k) * a(at / n, k); }) *
                     sum_of(0, n, 1, [&](index_t k) { return b(k, at % n) * b(k, at % n); }));
  };
  auto const exact = [&](index_t at) { return sum_of(0, n, 1, [&](index_t k) { return a(at / n, k) * b(k, at % n); }); };
  check_bound(p, per_root * std::sqrt(double(n)), exact, norms);
}

}  // namespace

TEST_CASE("bounds: products of matrices") {
  for (index_t n : {5, 64}) {
    check_product<float, float>(study::product_problem<float>(n), 8 * u);
    check_product<double, double>(study::product_problem<double>(n), 8 * u_double);
    check_product<dolmen::half, float>(study::half_product_problem(n), 16 * u);
  }
}

// Of a large product some rows are compared, and checksums of all: an error in any other element stands out from these by 1 / sqrt(n).
TEST_CASE("bounds: every element of a large product") {
  index_t const n = 600;
  auto const holder = study::product_problem<float>(n);
  auto const& p = as<float>(holder);
  std::vector<double> exact(std::size_t(n * n), 0.0);
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < n; ++k)
      for (index_t j = 0; j < n; ++j) exact[std::size_t(i * n + j)] += double(p.in[0][i * n + k]) * double(p.in[1][k * n + j]);
  std::vector<float> out(exact.begin(), exact.end());
  CHECK(p.check(out).ok());
  // Norms of rows are about sqrt(n / 3), that of the matrix sqrt(n) times as large.
  double const off = 4 * 8 * std::sqrt(double(n)) * u * double(n) / 3 * std::sqrt(double(n));
  for (index_t at : {index_t(1), 300 * n + 7, 301 * n + 599, n * n - 2}) refuse_at(p, out, at, float(exact[std::size_t(at)] + off));
  // Of two errors in a row, or in a column, one sign makes them cancel in that checksum; then the other one tells.
  for (index_t second : {300 * n + 511, 41 * n + 7})
    for (double sign : {-1.0, 1.0}) {
      auto const at = std::size_t(300 * n + 7), other = std::size_t(second);
      float const before = out[other];
      out[other] = float(exact[other] + sign * off);
      refuse_at(p, out, index_t(at), float(exact[at] + off));
      out[other] = before;
    }
}

TEST_CASE("bounds: sparse products") {
  study::sparse_product const p(3000);
  std::vector<double> exact(3000, 0.0), scale(3000, 0.0);
  std::vector<float> y;
  for (index_t i = 0; i < p.n; ++i) {
    for (index_t k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) {
      double const product = double(p.values[k]) * double(p.x[p.columns[k]]);
      exact[std::size_t(i)] += product, scale[std::size_t(i)] += fabs(product);
    }
    scale[std::size_t(i)] *= std::sqrt(double(p.row_offsets[i + 1] - p.row_offsets[i]));
    y.push_back(float(exact[std::size_t(i)]));
  }
  CHECK(p.check(y).ok());
  CHECK(p.check(y).bound == doctest::Approx(8 * u));
  int tried = 0;
  for (std::size_t i = 0; i < y.size(); i += 131) {
    if (scale[i] == 0) continue;
    float const right = y[i];
    for (double sign : {-1.0, 1.0}) {
      y[i] = float(exact[i] + sign * 4 * 8 * u * scale[i]);
      CHECK_FALSE(p.check(y).ok());
    }
    y[i] = right;
    ++tried;
  }
  CHECK(tried > 10);
}

TEST_CASE_TEMPLATE("bounds: sums of all before are exact", T, float, double, dolmen::half, std::int32_t, std::uint8_t) {
  auto const holder = study::prefix_sum_problem<T>(3000);
  auto const& p = as<T>(holder);
  std::vector<T> sums;
  if constexpr (std::is_integral_v<T>) {
    std::uint64_t sum = 0;
    for (index_t i = 0; i < p.n; ++i) sums.push_back(T(sum += std::uint64_t(p.in[0][i])));
  } else {
    double sum = 0;
    for (index_t i = 0; i < p.n; ++i) sums.push_back(T(float(sum += double(p.in[0][i]))));
  }
  check_exact(p, [&](index_t i) { return sums[std::size_t(i)]; });
}

TEST_CASE("bounds: counts, selections and orders are exact") {
  index_t const n = 5000;
  for (bool constant : {false, true}) {
    auto const holder = constant ? study::constant_histogram_problem(n) : study::histogram_problem(n);
    auto const& p = as<std::uint8_t, std::uint32_t>(holder);
    std::vector<std::uint32_t> counts(256, 0);
    for (index_t i = 0; i < n; ++i) ++counts[p.in[0][i]];
    check_exact(p, [&](index_t i) { return counts[std::size_t(i)]; });
  }
  auto const chosen = study::selection_problem<std::int32_t>(n);
  auto const& s = as<std::int32_t>(chosen);
  std::vector<std::int32_t> negative;
  for (index_t i = 0; i < n; ++i)
    if (s.in[0][i] < 0) negative.push_back(s.in[0][i]);
  auto const kept = index_t(negative.size());
  negative.resize(std::size_t(n), 5);
  CHECK(s.check(negative).ok());
  for (index_t at : {index_t(0), kept / 2, kept - 1}) refuse_at(s, negative, at, negative[std::size_t(at)] + 1);
  std::swap(negative[1], negative[2]);
  CHECK_FALSE(s.check(negative).ok());

  auto const sorting = study::sorting_problem<std::int32_t>(n);
  auto const& k = as<std::int32_t>(sorting);
  std::vector<std::int32_t> keys(k.in[0].data(), k.in[0].data() + n);
  std::sort(keys.begin(), keys.end());
  CHECK(k.check(keys).ok());
  for (index_t at : {index_t(0), n / 2, n - 1}) refuse_at(k, keys, at, keys[std::size_t(at)] + 1);
  for (std::size_t at : {std::size_t(0), std::size_t(n - 2)}) {
    std::swap(keys[at], keys[at + 1]);
    CHECK_FALSE(k.check(keys).ok());
    std::swap(keys[at], keys[at + 1]);
  }
  keys[7] = keys[8];  // one key twice, another one gone
  CHECK_FALSE(k.check(keys).ok());
}
