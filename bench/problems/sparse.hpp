// y = A x with a sparse matrix A in compressed rows.
#pragma once

#include "../problem.hpp"

namespace study {

/// A square matrix whose rows have very different lengths: from none to some thousand nonzeros, 16 on average.
struct sparse_product : problem_base {
  static constexpr index_t mean_length = 16, longest = 4096;

  index_t n;  // rows and columns
  host_array<std::int32_t> row_offsets, columns;
  host_array<float> values, x;

  /// Throws std::length_error for more nonzeros than 32 bits can count.
  explicit sparse_product(index_t rows);
  /// Exactly mean_length for each row.
  index_t nonzeros() const { return columns.size(); }
  verdict check(std::span<float const> y) const;
};

problem_ptr sparse_problem(index_t rows);

}  // namespace study
