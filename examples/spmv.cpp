// A sparse matrix from a Matrix Market file times a vector: rows of very different lengths, a warp for each.
#include <cmath>
#include <cstring>
#include <dolmen/dolmen.hpp>
#include <vector>

#include "kernels/spmv.hpp"
#include "support/backends.hpp"
#include "support/larger_error.hpp"
#include "support/matrix_market.hpp"
#include "support/timing.hpp"

namespace {

using dolmen::index_t;

/// The largest |y - A x| over the rows in terms of its bound, that of length + 1 roundings of the sum of magnitudes.
double error(example::sparse_matrix const& a, std::vector<float> const& x, std::vector<float> const& y) {
  double worst = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0, magnitude = 0;
    for (auto k = std::size_t(a.row_offsets[i]); k < std::size_t(a.row_offsets[i + 1]); ++k) {
      double const product = double(a.values[k]) * double(x[std::size_t(a.column_indices[k])]);
      sum += product, magnitude += std::fabs(product);
    }
    double const difference = std::fabs(double(y[i]) - sum), length = a.row_offsets[i + 1] - a.row_offsets[i];
    double const ratio = difference == 0 ? 0 : difference / (magnitude * (length + 1) * 0x1p-24);
    worst = example::larger_error(worst, ratio);
  }
  return worst;
}

template <class Backend>
bool multiply(example::sparse_matrix const& a) {
  std::vector<float> x(std::size_t(a.columns), 0.0f);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::sin(float(j + 1));

  typename Backend::stream stream;
  auto const row_offsets = dolmen::upload(stream, a.row_offsets), columns = dolmen::upload(stream, a.column_indices);
  auto const values = dolmen::upload(stream, a.values), x_data = dolmen::upload(stream, x);
  dolmen::buffer<float, Backend> y(stream, a.rows);
  dolmen::fill(stream, y, NAN);
  double const seconds = example::best_seconds(stream, 3, [&] {
    dolmen::launch(stream, kernels::spmv::blocks(a.rows),
                   kernels::spmv{row_offsets.view(), columns.view(), values.view(), x_data.view(), y.view()});
  });
  double const worst = error(a, x, dolmen::download(stream, y));
  std::printf("%-4s  %9.1f us %9.3f GFLOP/s   largest error: %.2g of its bound\n", Backend::name, 1e6 * seconds,
              2e-9 * double(a.values.size()) / seconds, worst);
  return worst <= 1;
}

}  // namespace

int main(int argc, char** argv) {
  bool const help = argc == 2 && (!std::strcmp(argv[1], "--help") || !std::strcmp(argv[1], "-h"));
  if (argc > 2 || help) {
    std::fprintf(help ? stdout : stderr, "Usage: %s [file], a sparse matrix in Matrix Market format. Without it: %s.\n", argv[0],
                 EXAMPLE_MATRIX);
    return help ? 0 : 2;
  }
  try {
    auto const a = example::read_matrix_market(argc == 2 ? argv[1] : EXAMPLE_MATRIX);
    index_t shortest = a.columns, longest = 0;
    for (std::size_t i = 0; i < std::size_t(a.rows); ++i) {
      index_t const length = a.row_offsets[i + 1] - a.row_offsets[i];
      shortest = dolmen::min(shortest, length), longest = dolmen::max(longest, length);
    }
    std::printf("Sparse matrix: %d rows, %d columns, %zu nonzeros, %lld to %lld in a row\n", a.rows, a.columns, a.values.size(),
                static_cast<long long>(shortest), static_cast<long long>(longest));
    return example::on_every_backend([&](auto backend) { return multiply<decltype(backend)>(a); });
  } catch (example::matrix_market_error const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
