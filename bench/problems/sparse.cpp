#include "sparse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "random.hpp"

namespace study {
namespace {

/// Lengths with a power law, P(length > l) ~ (1 + l / 8)^-1.5, scaled so that they are 16 on average; a sixth are zero.
std::vector<index_t> row_lengths(index_t rows) {
  std::vector<double> raw(std::size_t(rows), 0);
  double* const draw = raw.data();
  double total = 0;
#pragma omp parallel for
  for (index_t i = 0; i < rows; ++i) {
    double const uniform = double((random_bits(1, i) >> 11) + 1) * 0x1p-53;  // in (0, 1]
    draw[i] = std::floor(std::min(8 * (std::pow(uniform, -1 / 1.5) - 1), double(sparse_product::longest)));
  }
  for (double length : raw) total += length;
  if (total == 0) raw[0] = total = 1;

  index_t const wanted = sparse_product::mean_length * rows;
  std::vector<index_t> lengths(raw.size(), 0);
  index_t missing = wanted;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    lengths[i] = index_t(std::min(raw[i] * double(wanted) / total, double(sparse_product::longest)));
    missing -= lengths[i];
  }
  // What rounding down lost goes to the rows that have nonzeros.
  for (std::size_t i = 0; missing > 0; i = (i + 1) % lengths.size())
    if (raw[i] > 0 && lengths[i] < sparse_product::longest) ++lengths[i], --missing;
  return lengths;
}

}  // namespace

sparse_product::sparse_product(index_t rows) : n(rows) {
  if (mean_length * rows > std::numeric_limits<std::int32_t>::max())
    throw std::length_error("too large: the matrix would have more nonzeros than its 32-bit offsets can count");
  auto const lengths = row_lengths(rows);
  row_offsets = host_array<std::int32_t>(rows + 1);
  row_offsets[0] = 0;
  for (index_t i = 0; i < rows; ++i) row_offsets[i + 1] = row_offsets[i] + std::int32_t(lengths[std::size_t(i)]);

  values = random_array<float>(2, mean_length * rows);
  x = random_array<float>(3, rows);
  columns = host_array<std::int32_t>(mean_length * rows);
  std::int32_t const* const offset = row_offsets.data();
  std::int32_t* const column = columns.data();
  // Anywhere in the row, in order; a column may come twice, which counts as two nonzeros.
#pragma omp parallel for schedule(dynamic, 1024)
  for (index_t i = 0; i < rows; ++i) {
    for (index_t k = offset[i]; k < offset[i + 1]; ++k) column[k] = std::int32_t((random_bits(4, k) >> 32) * std::uint64_t(rows) >> 32);
    std::sort(column + offset[i], column + offset[i + 1]);
  }
}

/// Relative to sqrt(length) times the sum of magnitudes, since the bound of a sum of rounded products grows so.
verdict sparse_product::check(std::span<float const> y) const {
  double worst = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(max : worst)
  for (index_t i = 0; i < n; ++i) {
    double sum = 0, magnitude = 0;
    for (index_t k = row_offsets[i]; k < row_offsets[i + 1]; ++k) {
      double const product = double(values[k]) * double(x[columns[k]]);
      sum += product, magnitude += std::fabs(product);
    }
    worst =
        std::max(worst, error_ratio(double(y[std::size_t(i)]), sum, magnitude * std::sqrt(double(row_offsets[i + 1] - row_offsets[i]))));
  }
  return {worst, product_bound<float>(1)};
}

problem_ptr sparse_problem(index_t rows) { return std::make_shared<sparse_product>(rows); }

}  // namespace study
