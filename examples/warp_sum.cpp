// Warp shuffles, an atomic ticket, and a grid as large as the device: a sum in one launch, the same from run to run.
#include <dolmen/dolmen.hpp>
#include <sstream>

#include "kernels/warp_sum.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/timing.hpp"

namespace {

using dolmen::index_t;

template <class Backend>
bool sum(index_t n) {
  using kernel = kernels::warp_sum;
  typename Backend::stream stream;
  dolmen::buffer<float, Backend> values(stream, n), total(stream, 1);
  dolmen::view<float> const v = values;
  dolmen::for_each_index(
      stream, n, DOLMEN_LAMBDA(index_t i) { v(i) = float(i % 3 - 1); });

  auto const grid = kernel::blocks(n, dolmen::persistent_blocks<kernel>(stream));
  dolmen::buffer<float, Backend> partial(stream, grid.blocks());
  dolmen::buffer<std::uint32_t, Backend> ticket(stream, 1);
  dolmen::fill(stream, ticket, 0u);  // once: the last block of a launch sets it back
  double const seconds = example::best_seconds(stream, 3, [&] { dolmen::launch(stream, grid, kernel{values, partial, ticket, total}); });

  float const result = dolmen::download(stream, total)[0], expected = n % 3 == 0 ? 0.0f : -1.0f;  // -1 0 1 -1 0 1 ...
  std::ostringstream facts;
  facts << dolmen::kernel_facts<kernel>(stream);
  std::printf("%-4s  sum of %lld elements by %lld blocks: %g, expected %g   %.1f GB/s\n      %s\n", Backend::name,
              static_cast<long long>(n), static_cast<long long>(grid.blocks()), double(result), double(expected),
              1e-9 * double(n) * sizeof(float) / seconds, facts.str().c_str());
  return result == expected;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "elements", example::size_for(10'000'003, 200'003), 1'000'000'000);
  return example::on_every_backend([=](auto backend) { return sum<decltype(backend)>(n); });
}
