// Problems whose results are rows of numbers that depend on the whole row.
#include <algorithm>
#include <cmath>
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

template <class T>
constexpr double roundoff = std::is_same_v<T, dolmen::half> ? 0x1p-11 : unit_roundoff<T>;

/// Roundings of float: those of one element, and of a sum that is taken in any order (see product_bound).
double float_bound(index_t n) { return rounding_bound<float>(34 + std::sqrt(double(n))); }

/// The largest error over all rows; row(in, out) returns that of one.
template <class T, class Row>
double worst_row(T const* in, T const* out, index_t rows, index_t width, Row row) {
  double worst = 0;
#pragma omp parallel for reduction(max : worst)
  for (index_t r = 0; r < rows; ++r) worst = std::max(worst, row(in + r * width, out + r * width));
  return worst;
}

/// Relative, below half's least normal number relative to that.
template <class T>
double error_of(T got, double exact, double scale) {
  return error_ratio(double(got), exact, scale + (std::is_same_v<T, dolmen::half> ? 0x1p-14 : 0));
}

template <class T>
struct softmax_rows : problem<T> {
  explicit softmax_rows(index_t width) {
    this->n = width;
    this->out_size = rows_of<T>(width) * width;
    this->in.push_back(random_array<T>(1, this->out_size));
  }
  verdict check(std::span<T const> out) const override {
    index_t const n = this->n;
    double const worst = worst_row(this->in[0].data(), out.data(), this->out_size / n, n, [n](T const* x, T const* y) {
      double most = -2, sum = 0, error = 0;
      for (index_t i = 0; i < n; ++i) most = std::max(most, double(x[i]));
      for (index_t i = 0; i < n; ++i) sum += std::exp(double(x[i]) - most);
      for (index_t i = 0; i < n; ++i) {
        double const exact = std::exp(double(x[i]) - most) / sum;
        error = std::max(error, error_of(y[i], exact, exact));
      }
      return error;
    });
    return {worst, roundoff<T> + float_bound(n)};
  }
};

template <class T>
struct norm_rows : problem<T> {
  bool centred;
  norm_rows(index_t width, bool centred) : centred(centred) {
    this->n = width;
    this->out_size = rows_of<T>(width) * width;
    this->in.push_back(random_array<T>(1, this->out_size));
    for (std::uint64_t seed : {2, 3}) this->in.push_back(random_array<T>(seed, width));
  }
  verdict check(std::span<T const> out) const override {
    index_t const n = this->n;
    T const *const gamma = this->in[1].data(), *const beta = this->in[2].data();
    double const worst = worst_row(this->in[0].data(), out.data(), this->out_size / n, n, [=, this](T const* x, T const* y) {
      double sum = 0, squares = 0, error = 0;
      for (index_t i = 0; i < n; ++i) sum += double(x[i]);
      double const mean = centred ? sum / double(n) : 0;
      for (index_t i = 0; i < n; ++i) squares += (double(x[i]) - mean) * (double(x[i]) - mean);
      double const scale = 1 / std::sqrt(squares / double(n) + norm_eps);
      for (index_t i = 0; i < n; ++i) {
        double const factor = double(gamma[i]), addend = centred ? double(beta[i]) : 0;
        double const exact = (double(x[i]) - mean) * scale * factor + addend;
        error = std::max(error, error_of(y[i], exact, std::fabs(exact) + std::fabs(scale * factor) + std::fabs(addend)));
      }
      return error;
    });
    return {worst, roundoff<T> + float_bound(n)};
  }
};

}  // namespace

template <class T>
problem_ptr softmax_problem(index_t width) {
  return std::make_shared<softmax_rows<T>>(width);
}
template <class T>
problem_ptr layer_norm_problem(index_t width) {
  return std::make_shared<norm_rows<T>>(width, true);
}
template <class T>
problem_ptr rms_norm_problem(index_t width) {
  return std::make_shared<norm_rows<T>>(width, false);
}
#define STUDY_PROBLEMS(T)                           \
  template problem_ptr softmax_problem<T>(index_t); \
  template problem_ptr layer_norm_problem<T>(index_t);
STUDY_PROBLEMS(float)
STUDY_PROBLEMS(dolmen::half)
template problem_ptr rms_norm_problem<float>(index_t);

}  // namespace study
