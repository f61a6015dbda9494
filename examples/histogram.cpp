// Atomics: counting bytes in shared memory first costs global memory 256 additions per block instead of one per byte.
#include <dolmen/dolmen.hpp>
#include <random>
#include <vector>

#include "kernels/histogram.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/timing.hpp"

namespace {

using dolmen::index_t;

/// One global atomic per byte.
struct count_globally {
  dolmen::view<std::uint8_t const> keys;
  dolmen::view<std::uint32_t> counts;
  DOLMEN_FN void operator()(index_t i) const { counts.atomic(keys(i)).fetch_add(1u); }
};

template <class Backend>
bool count(std::vector<std::uint8_t> const& bytes) {
  using kernel = kernels::histogram;
  auto const n = index_t(bytes.size());
  std::vector<std::uint32_t> expected(kernel::bins, 0);
  for (auto b : bytes) ++expected[b];

  typename Backend::stream stream;
  auto const keys = dolmen::upload(stream, bytes);
  dolmen::buffer<std::uint32_t, Backend> counts(stream, kernel::bins);
  bool right = true;
  auto const measure = [&](char const* name, auto const& run) {
    double const seconds = example::best_seconds(stream, 3, [&] {
      dolmen::fill(stream, counts, 0u);
      run();
    });
    bool const same = dolmen::download(stream, counts) == expected;
    std::printf("%-4s  %-14s %9.3f ms %8.2f GB/s   %s\n", Backend::name, name, 1e3 * seconds, 1e-9 * double(n) / seconds,
                same ? "right" : "WRONG");
    right = right && same;
  };
  measure("global atomics", [&] { dolmen::for_each_index(stream, n, count_globally{keys, counts}); });
  measure("shared atomics", [&] {
    dolmen::launch(stream, kernel::blocks(n, dolmen::persistent_blocks<kernel>(stream)), kernel{keys, counts});
  });
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "bytes", example::size_for(5'000'011, 200'011), 2'000'000'000);
  std::vector<std::uint8_t> bytes(n);
  std::mt19937 random(1);
  for (auto& b : bytes) b = std::uint8_t(random() >> 24 & random() >> 24);  // far from even
  std::printf("Histogram of %lld bytes\n", static_cast<long long>(n));
  return example::on_every_backend([&](auto backend) { return count<decltype(backend)>(bytes); });
}
