// Tensor cores on a GPU, vectors on a CPU: a product of 16-bit matrices with float sums, in half and in bfloat16.
#include <cmath>
#include <dolmen/dolmen.hpp>
#include <vector>

#include "kernels/wmma_matmul.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/timing.hpp"

namespace {

using dolmen::index_t;

// Small whole numbers: exact in 16 bits, and their sums in any order.
int a_at(index_t row, index_t k) { return int((3 * row + 5 * k) % 7 - 3); }
int b_at(index_t k, index_t column) { return int((2 * k + 7 * column) % 5 - 2); }

template <class Backend, class T>
bool product(char const* type, index_t n) {
  // Packs of 8 want rows of a multiple of 8: a stride that is one, and zeros in between.
  index_t const stride = dolmen::ceil_div(n, 8) * 8;
  std::vector<T> a(n * stride, T(0)), b(n * stride, T(0));
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) {
      a[i * stride + j] = T(a_at(i, j));
      b[i * stride + j] = T(b_at(i, j));
    }
  typename Backend::stream stream;
  auto const device_a = dolmen::upload(stream, a), device_b = dolmen::upload(stream, b);
  dolmen::buffer<float, Backend> device_c(stream, n * n);
  dolmen::fill(stream, device_c, NAN);  // the memory may hold what the other type has left
  using kernel = kernels::wmma_matmul<T>;
  kernel const multiply{device_a.view(n, stride).template as_packs<8>(), device_b.view(n, stride).template as_packs<8>(),
                        device_c.view(n, n)};
  double const seconds = example::best_seconds(stream, 2, [&] { dolmen::launch(stream, kernel::blocks(n, n), multiply); });

  auto const c = dolmen::download(stream, device_c);
  index_t wrong = 0;
  for (index_t e = 0, step = n < 64 ? 1 : n * n / 4000 | 1; e < n * n; e += step) {
    int sum = 0;
    for (index_t k = 0; k < n; ++k) sum += a_at(e / n, k) * b_at(k, e % n);
    wrong += c[e] != float(sum);
  }
  std::printf("%-4s  %-8s %9.3f ms %9.1f GFLOP/s   wrong: %lld\n", Backend::name, type, 1e3 * seconds,
              2e-9 * double(n) * double(n) * double(n) / seconds, static_cast<long long>(wrong));
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "rows and columns", example::size_for(500, 72), 20'000);
  std::printf("Product of two 16-bit matrices of %lld x %lld\n", static_cast<long long>(n), static_cast<long long>(n));
  return example::on_every_backend([=](auto backend) {
    using B = decltype(backend);
    bool const halves = product<B, dolmen::half>("half", n);
    return product<B, dolmen::bfloat16>("bfloat16", n) && halves;
  });
}
