// A problem: random input of one size on the host, and the check of a result against a reference in at least double
// precision. It is made once per (case, size, type) and serves every variant on every backend.
#pragma once

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
/// The sum in 64 bits for integers.
template <class T>
problem_ptr sum_problem(index_t n);
template <class T>
problem_ptr product_problem(index_t side);
/// Halves, multiplied and added in float.
problem_ptr half_product_problem(index_t side);
/// The inclusive sums within every run of `scan_run` elements.
inline constexpr index_t scan_run = 1024;
problem_ptr block_scan_problem(index_t n);
/// Counts of bytes.
inline constexpr index_t histogram_bins = 256;
problem_ptr histogram_problem(index_t n);

/// For cases without data.
problem_ptr no_problem(index_t n);

}  // namespace study
