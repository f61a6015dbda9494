// For the examples: sparse matrices from Matrix Market files (https://math.nist.gov/MatrixMarket/formats.html).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

/// Compressed rows: the nonzeros of row i are those from row_offsets[i] to row_offsets[i + 1], by rising column.
struct sparse_matrix {
  std::int32_t rows = 0, columns = 0;
  std::vector<std::int32_t> row_offsets;     // rows + 1 of them
  std::vector<std::int32_t> column_indices;  // from zero on
  std::vector<float> values;
};

/// What is wrong with a file; the text begins with its name and the line, "a.mtx:12: ...".
struct matrix_market_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads "matrix coordinate", with real, integer or pattern values (those count as 1), general, symmetric or skew-symmetric:
/// of the latter two both halves are returned. Places that occur twice stay two entries, which a product adds up.
/// Throws matrix_market_error for anything else. `name` stands for the text in errors.
sparse_matrix read_matrix_market(std::istream& in, std::string const& name);
sparse_matrix read_matrix_market(std::string const& file);

}  // namespace example
