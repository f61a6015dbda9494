// No kernel of its own: the library's algorithms from a plain C++ file, which needs no CUDA compiler, on every backend.
#include <cmath>
#include <dolmen/dolmen.hpp>
#include <vector>

#include "support/arguments.hpp"
#include "support/backends.hpp"

namespace {

template <class Backend>
bool algorithms(dolmen::index_t n) {
  typename Backend::stream stream;
  dolmen::buffer<float, Backend> a_data(stream, n * n), b_data(stream, n * n), c_data(stream, n * n);
  auto const a = a_data.view(n, n), b = b_data.view(n, n), c = c_data.view(n, n);

  dolmen::fill(stream, a, 2.0f);
  dolmen::fill(stream, b, 0.0f);
  for (dolmen::index_t i = 0; i < n; ++i) dolmen::fill(stream, b.subview({i, i}, {1, 1}), 3.0f);  // three times the unit matrix
  dolmen::fill(stream, c, NAN);                                                                   // not read, since beta is 0
  dolmen::gemm(stream, 0.5f, a, b, 0.0f, c);                                                      // all elements become 3

  double const total = dolmen::sum<double>(stream, c);  // added in double
  auto const first_row = dolmen::download(stream, c.row(0));

  std::vector<float> ones(n, 1.0f);
  dolmen::copy(stream, ones, c.row(n - 1));  // host data into a part of the matrix
  double const after = dolmen::sum<double>(stream, c);

  double const expected = 3.0 * double(n) * double(n), expected_after = expected - 2.0 * double(n);
  std::printf("%-4s  gemm and sum: %.0f, expected %.0f; after one row was replaced: %.0f, expected %.0f\n", Backend::name, total, expected,
              after, expected_after);
  return total == expected && after == expected_after && first_row == std::vector<float>(n, 3.0f);
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "rows and columns", 200, 20'000);
  return example::on_every_backend([=](auto backend) { return algorithms<decltype(backend)>(n); });
}
