// C = A B. A reference of n^3 operations in wide precision would take longer than the study, so above 512 the check is:
// 32 rows element by element, first and last among them, and of every other element two checksums in random signs
// (Freivalds, 1977): C x against A (B x) for each row and y C against (y A) B for each column.
#include <algorithm>
#include <cmath>
#include <dolmen/core/half.hpp>
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

std::vector<double> random_signs(int seed, index_t n) {
  std::vector<double> signs(std::size_t(n), 0);
  for (index_t i = 0; i < n; ++i) signs[std::size_t(i)] = random_bits(std::uint64_t(seed), i) & 1 ? 1.0 : -1.0;
  return signs;
}

template <class T, class Out>
struct product : problem<T, Out> {
  using wide = wide_t<Out>;

  std::vector<index_t> rows;                // those compared element by element
  std::vector<wide> exact;                  // rows.size() x n
  std::vector<wide> row_sums, column_sums;  // A (B x), (y A) B
  std::vector<wide> row_norms, column_norms;
  wide a_norm = 0, b_norm = 0;
  std::vector<double> x, y;  // the signs

  double bound;

  product(index_t side, double bound) : bound(bound) {
    this->n = side;
    this->out_size = side * side;
    this->in.push_back(random_array<T>(1, side * side));
    this->in.push_back(random_array<T>(2, side * side));
    x = random_signs(3, side), y = random_signs(4, side);
    choose_rows();
    multiply_rows();
    norms();
    checksums();
  }

  T const* a() const { return this->in[0].data(); }
  T const* b() const { return this->in[1].data(); }

  void choose_rows() {
    index_t const n = this->n, most = n <= 512 ? n : 32;
    for (index_t r = 0; r < most; ++r) rows.push_back(most > 1 ? r * (n - 1) / (most - 1) : 0);
  }

  void multiply_rows() {
    index_t const n = this->n;
    exact.assign(rows.size() * std::size_t(n), 0);
#pragma omp parallel for schedule(dynamic)
    for (index_t r = 0; r < index_t(rows.size()); ++r) {
      wide* const out = exact.data() + r * n;
      for (index_t k = 0; k < n; ++k) {
        wide const left(a()[rows[std::size_t(r)] * n + k]);
        T const* const right = b() + k * n;
        for (index_t j = 0; j < n; ++j) out[j] += left * wide(right[j]);
      }
    }
  }

  // |sum over k of a_ik b_kj| <= |a_i| |b_j|, and so is the sum of magnitudes: the scale of every comparison.
  void norms() {
    index_t const n = this->n;
    row_norms.assign(std::size_t(n), 0);
    column_norms.assign(std::size_t(n), 0);
    for (index_t i = 0; i < n; ++i)
      for (index_t k = 0; k < n; ++k) {
        wide const left(a()[i * n + k]), right(b()[i * n + k]);
        row_norms[std::size_t(i)] += left * left;
        column_norms[std::size_t(k)] += right * right;
      }
    for (auto& v : row_norms) a_norm += v, v = std::sqrt(v);
    for (auto& v : column_norms) b_norm += v, v = std::sqrt(v);
    a_norm = std::sqrt(a_norm), b_norm = std::sqrt(b_norm);
  }

  void checksums() {
    index_t const n = this->n;
    std::vector<wide> bx(std::size_t(n), 0), ya(std::size_t(n), 0);
    row_sums.assign(std::size_t(n), 0);
    column_sums.assign(std::size_t(n), 0);
    for (index_t i = 0; i < n; ++i)
      for (index_t k = 0; k < n; ++k) {
        bx[std::size_t(i)] += wide(b()[i * n + k]) * wide(x[std::size_t(k)]);
        ya[std::size_t(k)] += wide(y[std::size_t(i)]) * wide(a()[i * n + k]);
      }
    for (index_t i = 0; i < n; ++i)
      for (index_t k = 0; k < n; ++k) {
        row_sums[std::size_t(i)] += wide(a()[i * n + k]) * bx[std::size_t(k)];
        column_sums[std::size_t(k)] += ya[std::size_t(i)] * wide(b()[i * n + k]);
      }
  }

  verdict check(std::span<Out const> c) const override {
    index_t const n = this->n;
    double worst = 0;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (index_t j = 0; j < n; ++j)
        worst = std::max(worst, error_ratio(wide(c[std::size_t(rows[r] * n + j)]), exact[r * std::size_t(n) + std::size_t(j)],
                                            row_norms[std::size_t(rows[r])] * column_norms[std::size_t(j)]));
    std::vector<wide> columns(std::size_t(n), 0);
    for (index_t i = 0; i < n; ++i) {
      wide row = 0;
      for (index_t j = 0; j < n; ++j) {
        wide const value = c[std::size_t(i * n + j)];
        row += value * wide(x[std::size_t(j)]);
        columns[std::size_t(j)] += wide(y[std::size_t(i)]) * value;
      }
      worst = std::max(worst, error_ratio(row, row_sums[std::size_t(i)], row_norms[std::size_t(i)] * b_norm));
    }
    for (std::size_t j = 0; j < columns.size(); ++j)
      worst = std::max(worst, error_ratio(columns[j], column_sums[j], a_norm * column_norms[j]));
    return {worst, bound};
  }
};

}  // namespace

template <class T>
problem_ptr product_problem(index_t side) {
  return std::make_shared<product<T, T>>(side, product_bound<T>(double(side)));
}
template problem_ptr product_problem<float>(index_t);
template problem_ptr product_problem<double>(index_t);

problem_ptr half_product_problem(index_t side) {
  return std::make_shared<product<dolmen::half, float>>(side, cut_product_bound(double(side)));
}

}  // namespace study
