// The first program: upload two arrays, add them on every backend with one kernel, download and check.
#include <dolmen/dolmen.hpp>
#include <vector>

#include "kernels/vector_add.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"

namespace {

template <class Backend>
bool add(dolmen::index_t n) {
  std::vector<float> a(n), b(n);
  for (dolmen::index_t i = 0; i < n; ++i) {
    a[i] = float(i % 1000);
    b[i] = float(i % 7);
  }

  typename Backend::stream stream;
  auto const device_a = dolmen::upload(stream, a), device_b = dolmen::upload(stream, b);
  dolmen::buffer<float, Backend> device_c(stream, n);
  dolmen::launch(stream, kernels::vector_add::blocks(n), kernels::vector_add{device_a, device_b, device_c});
  auto const c = dolmen::download(stream, device_c);  // waits for the stream

  dolmen::index_t wrong = 0;
  for (dolmen::index_t i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
  std::printf("%-4s  %s: %lld sums, %lld wrong\n", Backend::name, stream.get_device().properties().name.c_str(), static_cast<long long>(n),
              static_cast<long long>(wrong));
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "elements", example::size_for(1'000'003, 200'003), 1'000'000'000);
  return example::on_every_backend([=](auto backend) { return add<decltype(backend)>(n); });
}
