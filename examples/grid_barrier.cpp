// A cooperative launch: heat spreads along a rod for many steps in one launch, with a barrier of all blocks between steps.
#include <cmath>
#include <dolmen/dolmen.hpp>
#include <vector>

#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/larger_error.hpp"

namespace {

using dolmen::index_t;

struct heat {
  using shape = dolmen::block_shape<256>;
  dolmen::view<float> now, next;
  int steps;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const n = now.size(), stride = index_t(block.grid.x) * shape::size;
    auto from = now, to = next;
    for (int step = 0; step < steps; ++step) {
      for (auto first = block.first_index(); first < n; first += stride)
        block.each_thread(n - first, [&](dolmen::thread t) {
          auto const i = first + t.rank, left = dolmen::max(i - 1, 0), right = dolmen::min(i + 1, n - 1);
          to(i) = 0.25f * from.load(left) + 0.5f * from.load(i) + 0.25f * from.load(right);
        });
      block.grid_sync();  // all blocks have written this step before any reads it
      dolmen::swap(from, to);
    }
  }
};

template <class Backend>
bool spread(index_t n) {
  constexpr int steps = 100;
  std::vector<float> rod(n, 0.0f), expected;
  rod[n / 2] = 1024;
  typename Backend::stream stream;
  auto now = dolmen::upload(stream, rod);
  dolmen::buffer<float, Backend> next(stream, n);
  index_t const blocks = dolmen::min(dolmen::ceil_div(n, heat::shape::size), dolmen::max_cooperative_blocks<heat>(stream));
  dolmen::launch_cooperative(stream, dolmen::grid(blocks), heat{now, next, steps});

  for (int step = 0; step < steps; ++step) {
    expected = rod;
    for (index_t i = 0; i < n; ++i) expected[i] = 0.25f * rod[i > 0 ? i - 1 : 0] + 0.5f * rod[i] + 0.25f * rod[i < n - 1 ? i + 1 : n - 1];
    std::swap(rod, expected);
  }
  auto const result = dolmen::download(stream, now);
  double worst = 0;
  for (index_t i = 0; i < n; ++i) worst = example::larger_error(worst, std::fabs(double(result[i]) - double(rod[i])));
  std::printf("%-4s  %d steps over %lld cells by %lld blocks in one launch: %.3g in the middle, largest difference %.2g\n", Backend::name,
              steps, static_cast<long long>(n), static_cast<long long>(blocks), double(result[n / 2]), worst);
  return worst < 1e-3;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "cells", example::size_for(100'000, 10'000), 100'000'000);
  return example::on_every_backend([=](auto backend) { return spread<decltype(backend)>(n); });
}
