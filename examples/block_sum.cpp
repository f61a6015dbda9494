// A barrier at work: blocks add up 256 elements each in shared memory, again and again until one sum is left.
#include <dolmen/dolmen.hpp>

#include "kernels/block_sum.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"

namespace {

template <class Backend>
bool sum(dolmen::index_t n) {
  typename Backend::stream stream;
  dolmen::buffer<float, Backend> values(stream, n);
  dolmen::view<float> const v = values;
  dolmen::for_each_index(
      stream, n, DOLMEN_LAMBDA(dolmen::index_t i) { v(i) = float(i % 3 - 1); });

  int launches = 0;
  while (values.size() > 1) {
    auto const grid = kernels::block_sum::blocks(values.size());
    dolmen::buffer<float, Backend> sums(stream, grid.blocks());
    dolmen::launch(stream, grid, kernels::block_sum{values, sums});
    values = std::move(sums);  // the old values are freed in the order of the stream, so after the launch
    ++launches;
  }
  float const total = dolmen::download(stream, values)[0];
  float const expected = n % 3 == 1 ? -1.0f : n % 3 == 2 ? -1.0f : 0.0f;  // -1 0 1 -1 0 1 ...
  std::printf("%-4s  sum of %lld elements in %d launches: %g, expected %g\n", Backend::name, static_cast<long long>(n), launches,
              double(total), double(expected));
  return total == expected;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "elements", example::size_for(1'000'003, 200'003), 1'000'000'000);
  return example::on_every_backend([=](auto backend) { return sum<decltype(backend)>(n); });
}
