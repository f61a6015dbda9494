// Heat on a plate with a cold edge: many steps of a 5-point stencil, checked against the exact solution.
#include <cmath>
#include <dolmen/dolmen.hpp>
#include <vector>

#include "kernels/stencil.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/larger_error.hpp"

namespace {

using dolmen::index_t;

constexpr int waves_down = 3, waves_across = 2;

/// A standing wave: each step multiplies it by one factor, and its shape stays.
double wave(index_t row, index_t column, index_t n) {
  double const h = M_PI / double(n + 1);
  return std::sin(waves_down * h * double(row + 1)) * std::sin(waves_across * h * double(column + 1));
}

double factor_per_step(index_t n) {
  double const h = M_PI / double(n + 1);
  return 0.5 * (std::cos(waves_down * h) + std::cos(waves_across * h));
}

template <class Backend>
bool heat(index_t n) {
  std::vector<float> start(n * n);
  for (index_t i = 0; i < n * n; ++i) start[i] = float(wave(i / n, i % n, n));

  typename Backend::stream stream;
  typename Backend::event begin, end;
  auto now = dolmen::upload(stream, start);
  dolmen::buffer<float, Backend> next(stream, n * n);
  auto const grid = kernels::stencil5::blocks(n, n);

  constexpr int rounds = 4, steps = 25;
  double seconds = 0, worst = 0;
  for (int round = 1; round <= rounds; ++round) {
    begin.record(stream);
    for (int step = 0; step < steps; ++step) {
      dolmen::launch(stream, grid, kernels::stencil5{std::as_const(now).view(n, n), next.view(n, n)});
      std::swap(now, next);
    }
    end.record(stream);
    end.wait();
    seconds += elapsed(begin, end);

    double const factor = std::pow(factor_per_step(n), round * steps);
    auto const host = dolmen::download(stream, now);
    for (index_t i = 0; i < n * n; ++i) worst = example::larger_error(worst, std::fabs(double(host[i]) - factor * wave(i / n, i % n, n)));
    std::printf("%-4s  after %3d steps the wave is %.6f high; largest error so far %.1e\n", Backend::name, round * steps, factor, worst);
  }
  std::printf("%-4s  %.1f GB/s (one read and one write per point and step)\n", Backend::name,
              1e-9 * rounds * steps * 2.0 * double(n * n) * sizeof(float) / seconds);
  return worst < 1e-5;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "points on a side", example::size_for(500, 80), 30'000);
  return example::on_every_backend([=](auto backend) { return heat<decltype(backend)>(n); });
}
