// What moving data costs: ReLU over an array that starts and ends on the host, each part timed by itself.
#include <algorithm>
#include <dolmen/dolmen.hpp>

#include "kernels/relu.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/timing.hpp"

namespace {

void print(char const* backend, char const* part, double seconds, double bytes) {
  std::printf("%-4s  %-28s %9.3f ms %9.1f GB/s\n", backend, part, 1e3 * seconds, 1e-9 * bytes / seconds);
}

template <class Backend>
bool relu(dolmen::index_t n) {
  // Pinned memory: a GPU copies it at the full speed of the bus, and while the host does something else.
  dolmen::pinned_buffer<float, Backend> in(n), out(n);
  for (dolmen::index_t i = 0; i < n; ++i) in[i] = float(i % 2001 - 1000);
  std::fill(out.begin(), out.end(), -1.0f);

  typename Backend::stream stream;
  dolmen::buffer<float, Backend> device_in(stream, n), device_out(stream, n);
  auto const upload = [&] { dolmen::copy(stream, in.span(), device_in); };
  auto const kernel = [&] { dolmen::launch(stream, kernels::relu::blocks(n), kernels::relu{device_in, device_out}); };
  auto const download = [&] { dolmen::copy(stream, device_out, out.span()); };
  auto const all = [&] { upload(), kernel(), download(); };

  double const bytes = double(n) * sizeof(float);
  double const with_transfers = example::best_seconds(stream, 5, all);
  double const kernel_only = example::best_seconds(stream, 5, kernel);
  print(Backend::name, "upload", example::best_seconds(stream, 5, upload), bytes);
  print(Backend::name, "kernel (reads and writes)", kernel_only, 2 * bytes);
  print(Backend::name, "download", example::best_seconds(stream, 5, download), bytes);
  print(Backend::name, "all three", with_transfers, 4 * bytes);

  dolmen::index_t errors = 0;
  for (dolmen::index_t i = 0; i < n; ++i) errors += out[i] != std::max(in[i], 0.0f);
  std::printf("%-4s  with transfers %.1f times as long as the kernel alone; errors found: %lld\n", Backend::name,
              with_transfers / kernel_only, static_cast<long long>(errors));
  return errors == 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "elements", example::size_for(16 << 20, 100'003), 1'000'000'000);
  std::printf("ReLU of %lld floats. On the CPU a transfer is a copy in memory.\n", static_cast<long long>(n));
  return example::on_every_backend([=](auto backend) { return relu<decltype(backend)>(n); });
}
