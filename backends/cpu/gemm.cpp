#include "gemm.hpp"

#include "engine.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::gemm_plan;

// A tile of C stays in registers while K passes by; a panel of B stays in the second-level cache.
constexpr index_t product_rows = 4, depth = 256;
template <class T>
constexpr index_t product_columns = 128 / sizeof(T);

// C[rows x columns] += A B for one full tile; the bounds are constants, so the sums become registers.
template <class T>
void full_tile(gemm_plan<T> const& p, index_t row, index_t column, index_t k_begin, index_t k_end) {
  T sum[product_rows][product_columns<T>] = {};
  for (index_t k = k_begin; k < k_end; ++k) {
    T const* const b = p.b + k * p.ldb + column;
    for (index_t r = 0; r < product_rows; ++r) {
      T const a = p.a[(row + r) * p.lda + k];
#pragma omp simd
      for (index_t x = 0; x < product_columns<T>; ++x) sum[r][x] += a * b[x];
    }
  }
  for (index_t r = 0; r < product_rows; ++r) {
#pragma omp simd
    for (index_t x = 0; x < product_columns<T>; ++x) p.c[(row + r) * p.ldc + column + x] += p.alpha * sum[r][x];
  }
}

template <class T>
void edge_tile(gemm_plan<T> const& p, index_t row, index_t rows, index_t column, index_t columns, index_t k_begin, index_t k_end) {
  for (index_t r = row; r < row + rows; ++r) {
    T sum[product_columns<T>] = {};
    for (index_t k = k_begin; k < k_end; ++k) {
      T const a = p.a[r * p.lda + k];
      T const* const b = p.b + k * p.ldb + column;
#pragma omp simd
      for (index_t x = 0; x < columns; ++x) sum[x] += a * b[x];
    }
    for (index_t x = 0; x < columns; ++x) p.c[r * p.ldc + column + x] += p.alpha * sum[x];
  }
}

template <class T>
void scale_row(T* c, index_t n, T beta) {
  if (beta == T(0)) {
    for (index_t x = 0; x < n; ++x) c[x] = 0;  // written, never read: NaN in C does not survive
  } else if (beta != T(1)) {
    for (index_t x = 0; x < n; ++x) c[x] *= beta;
  }
}

}  // namespace

// Blocked as in Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (ACM TOMS 2008), without packing.
template <class T>
void launch_gemm(stream const&, gemm_plan<T> const& p, source_location) {
  index_t const bands = ceil_div(p.m, product_rows);
  index_t const flops_per_band = max(index_t(1), product_rows * p.n * max(p.k, index_t(1)));
  run_ranges(bands, ceil_div(index_t(32768), flops_per_band), [&](index_t begin, index_t end, scratch&) {
    for (index_t row = begin * product_rows; row < min(end * product_rows, p.m); ++row) scale_row(p.c + row * p.ldc, p.n, p.beta);
    for (index_t k = 0; k < p.k; k += depth) {
      index_t const k_end = min(k + depth, p.k);
      for (index_t column = 0; column < p.n; column += product_columns<T>) {
        index_t const columns = min(product_columns<T>, p.n - column);
        for (index_t band = begin; band < end; ++band) {
          index_t const row = band * product_rows, rows = min(product_rows, p.m - row);
          if (rows == product_rows && columns == product_columns<T>)
            full_tile(p, row, column, k, k_end);
          else
            edge_tile(p, row, rows, column, columns, k, k_end);
        }
      }
    }
  });
}

template DOLMEN_API void launch_gemm(stream const&, gemm_plan<float> const&, source_location);
template DOLMEN_API void launch_gemm(stream const&, gemm_plan<double> const&, source_location);

}  // namespace dolmen::cpu
