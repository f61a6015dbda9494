// y += alpha x without any block structure: for_each_index, with a lambda and with a struct.
#include <dolmen/dolmen.hpp>

#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/timing.hpp"

namespace {

/// The same body as a struct. nvcc wraps a DOLMEN_LAMBDA for the host into an indirect call per element, which no compiler
/// can vectorise; a struct is called directly by both compilers.
struct axpy_body {
  float alpha;
  dolmen::view<float const> x;
  dolmen::view<float> y;
  DOLMEN_FN void operator()(dolmen::index_t i) const { y(i) += alpha * x(i); }
};

template <class Backend>
bool axpy(dolmen::index_t n) {
  typename Backend::stream stream;
  dolmen::buffer<float, Backend> x_data(stream, n), y_data(stream, n);
  dolmen::view<float const> const x = x_data;
  dolmen::view<float> const y = y_data;
  float const alpha = 2;
  dolmen::fill(stream, x_data, 3.0f);
  dolmen::fill(stream, y_data, 1.0f);

  constexpr int repeats = 5, calls = repeats + 1;
  double const lambda = example::best_seconds(stream, repeats, [&] {
    dolmen::for_each_index(
        stream, n, DOLMEN_LAMBDA(dolmen::index_t i) { y(i) += alpha * x(i); });
  });
  double const functor = example::best_seconds(stream, repeats, [&] { dolmen::for_each_index(stream, n, axpy_body{alpha, x, y}); });

  double const bytes = 3.0 * double(n) * sizeof(float);  // x and y are read, y is written
  dolmen::index_t wrong = 0;
  for (float const value : dolmen::download(stream, y)) wrong += value != 1.0f + 2 * calls * 6.0f;
  std::printf("%-4s  lambda %8.1f GB/s   struct %8.1f GB/s   wrong: %lld\n", Backend::name, 1e-9 * bytes / lambda, 1e-9 * bytes / functor,
              static_cast<long long>(wrong));
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "elements", example::size_for(4'000'001, 40'001), 1'000'000'000);
  return example::on_every_backend([=](auto backend) { return axpy<decltype(backend)>(n); });
}
