// A problem: random input of one size on the host, and the check of a result against a reference in at least double
// precision. It is made once per (case, size, type) and serves every variant on every backend.
#pragma once

#include <dolmen/core/half.hpp>
#include <memory>
#include <span>
#include <vector>

#include "host_array.hpp"
#include "verdict.hpp"

namespace study {

struct problem_base {
  virtual ~problem_base() = default;
};

/// `in` are the inputs, dense and row-major. `initial` is what the output holds before a run, for cases that update it;
/// where it is empty the output is poisoned (all bits set: NaN, or -1) and must not be read.
template <class T, class Out = T>
struct problem : problem_base {
  index_t n = 0;  // what --size says
  std::vector<host_array<T>> in;
  host_array<Out> initial;
  index_t out_size = 0;

  virtual verdict check(std::span<Out const> out) const = 0;
};

using problem_ptr = std::shared_ptr<problem_base const>;

/// Constants of the cases, exact in float.
inline constexpr double axpy_alpha = 0.75, triad_scalar = 3.0, fill_value = 1.25, gemm_alpha = 1.0, gemm_beta = 0.0;

// Sizes are elements, or the side of square matrices.
template <class T>
problem_ptr vector_add_problem(index_t n);
template <class T>
problem_ptr relu_problem(index_t n);
template <class T>
problem_ptr axpy_problem(index_t n);
template <class T>
problem_ptr triad_problem(index_t n);
/// The first times the second plus the third.
template <class T>
problem_ptr multiply_add_problem(index_t n);
/// From n records of eight floats to eight arrays of n floats, and back.
inline constexpr index_t record_floats = 8;
problem_ptr split_problem(index_t n);
problem_ptr join_problem(index_t n);
/// Uniform in [0, 1), and standard normal, from one seed.
inline constexpr std::uint64_t random_seed = 20;
template <class T>
problem_ptr uniform_problem(index_t n);
template <class T>
problem_ptr normal_problem(index_t n);
template <class T>
problem_ptr fill_problem(index_t n);
template <class T>
problem_ptr copy_problem(index_t n);
template <class T>
problem_ptr transpose_problem(index_t side);
template <class T>
problem_ptr stencil_problem(index_t side);
template <class T>
problem_ptr block_sum_problem(index_t n);
/// The sum in 64 bits for integers, in float for half.
template <class T>
problem_ptr sum_problem(index_t n);
template <class T>
problem_ptr dot_problem(index_t n);
/// Of floats: the place of the least; sums of the rows or columns of a square matrix.
problem_ptr argmin_problem(index_t n);
problem_ptr row_sums_problem(index_t side);
problem_ptr column_sums_problem(index_t side);
template <class T>
problem_ptr product_problem(index_t side);
/// Halves, multiplied and added in float.
problem_ptr half_product_problem(index_t side);
/// The inclusive sums within every run of `scan_run` elements.
inline constexpr index_t scan_run = 1024;
problem_ptr block_scan_problem(index_t n);
/// The inclusive sums of all elements.
template <class T>
problem_ptr prefix_sum_problem(index_t n);
/// Counts of bytes.
inline constexpr index_t histogram_bins = 256;
problem_ptr histogram_problem(index_t n);
/// All bytes are the same.
problem_ptr constant_histogram_problem(index_t n);
/// The negative ones of random numbers, in their order.
template <class T>
problem_ptr selection_problem(index_t n);
/// Random keys in ascending order.
template <class T>
problem_ptr sorting_problem(index_t n);
/// With their indices; the output holds the keys, then the indices.
problem_ptr pair_sorting_problem(index_t n);

/// Rows that wide, 256 MiB of them (one, if it is longer; a million, if they are shorter).
inline constexpr double norm_eps = 1e-5;
template <class T>
constexpr index_t rows_of(index_t width) {
  return dolmen::max(index_t(1), dolmen::min(index_t(1) << 20, (index_t(1) << 28) / (width * index_t(sizeof(T)))));
}
template <class T>
problem_ptr softmax_problem(index_t width);
/// With a factor and an addend for each column.
template <class T>
problem_ptr layer_norm_problem(index_t width);
/// With a factor for each column.
template <class T>
problem_ptr rms_norm_problem(index_t width);

/// Weights of the 27 elements around one; of a plane the middle 9.
struct near_weights {
  float box[27];
};
near_weights near_weights_of(int rank, bool star);
template <int Rank, bool Star>
problem_ptr near_problem(index_t side);

/// A square filter with different weights everywhere, row by row.
struct filter_weights {
  static constexpr int side = 5, radius = side / 2;
  float weight[side * side];
};
filter_weights study_filter();
/// The convolution of a square matrix with it, zeros beyond the edge.
problem_ptr convolution_problem(index_t side);

/// For cases without data.
problem_ptr no_problem(index_t n);

}  // namespace study
