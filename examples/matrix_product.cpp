// C = A B three ways: each thread reads global memory, tiles in shared memory, and the library's gemm.
#include <cmath>
#include <dolmen/dolmen.hpp>
#include <vector>

#include "kernels/matmul.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/timing.hpp"

namespace {

using dolmen::index_t;

// Small whole numbers, so that every order of summation gives the same floats.
float a_at(index_t row, index_t k) { return float((3 * row + 5 * k) % 7 - 3); }
float b_at(index_t k, index_t column) { return float((2 * k + 7 * column) % 5 - 2); }

double reference(index_t row, index_t column, index_t n) {
  double sum = 0;
  for (index_t k = 0; k < n; ++k) sum += double(a_at(row, k)) * double(b_at(k, column));
  return sum;
}

/// Elements that differ from the reference, of about 4000 spread over all rows and columns.
index_t count_wrong(std::vector<float> const& c, index_t n) {
  index_t wrong = 0;
  index_t const step = n < 64 ? 1 : n * n / 4000 | 1;
  for (index_t i = 0; i < n * n; i += step) wrong += double(c[i]) != reference(i / n, i % n, n);
  return wrong;
}

template <class Backend>
bool product(index_t n) {
  std::vector<float> a(n * n), b(n * n);
  for (index_t i = 0; i < n * n; ++i) {
    a[i] = a_at(i / n, i % n);
    b[i] = b_at(i / n, i % n);
  }
  typename Backend::stream stream;
  auto const device_a = dolmen::upload(stream, a), device_b = dolmen::upload(stream, b);
  dolmen::buffer<float, Backend> device_c(stream, n * n);
  auto const A = device_a.view(n, n), B = device_b.view(n, n);
  auto const C = device_c.view(n, n);

  bool right = true;
  auto const measure = [&](char const* name, auto const& run) {
    dolmen::fill(stream, C, NAN);
    double const seconds = example::best_seconds(stream, 2, run);
    index_t const wrong = count_wrong(dolmen::download(stream, C), n);
    std::printf("%-4s  %-6s %9.3f ms %9.1f GFLOP/s   wrong: %lld\n", Backend::name, name, 1e3 * seconds,
                2e-9 * double(n) * double(n) * double(n) / seconds, static_cast<long long>(wrong));
    right = right && wrong == 0;
  };
  using naive = kernels::naive_matmul<float>;
  using tiled = kernels::tiled_matmul<float>;
  measure("naive", [&] { dolmen::launch(stream, naive::blocks(n, n), naive{A, B, C}); });
  measure("tiled", [&] { dolmen::launch(stream, tiled::blocks(n, n), tiled{A, B, C}); });
  measure("gemm", [&] { dolmen::gemm(stream, 1, A, B, 0, C); });
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "rows and columns", example::size_for(500, 66), 20'000);
  std::printf("Product of two matrices of %lld x %lld floats\n", static_cast<long long>(n), static_cast<long long>(n));
  return example::on_every_backend([=](auto backend) { return product<decltype(backend)>(n); });
}
