// Problems whose results are weighted sums of neighbours, zeros beyond the edge.
#include <algorithm>
#include <cmath>
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

/// A square or a cube.
struct near_neighbours : problem<float> {
  index_t planes;
  near_weights weights;

  near_neighbours(index_t side, int rank, bool star) : planes(rank == 3 ? side : 1), weights(near_weights_of(rank, star)) {
    n = side;
    out_size = planes * side * side;
    in.push_back(random_array<float>(1, out_size));
  }
  verdict check(std::span<float const> out) const override {
    float const* const a = in[0].data();
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (index_t row = 0; row < planes * n; ++row)
      for (index_t x = 0; x < n; ++x) worst = std::max(worst, error_at(a, out[std::size_t(row * n + x)], row / n, row % n, x));
    return {worst, rounding_bound<float>(28)};
  }

 private:
  double error_at(float const* a, float got, index_t z, index_t y, index_t x) const {
    double sum = 0, magnitude = 0;
    int k = 0;
    for (index_t dz = -1; dz <= 1; ++dz)
      for (index_t dy = -1; dy <= 1; ++dy)
        for (index_t dx = -1; dx <= 1; ++dx, ++k) {
          index_t const zk = z + dz, yk = y + dy, xk = x + dx;
          if (zk < 0 || zk >= planes || yk < 0 || yk >= n || xk < 0 || xk >= n) continue;
          double const product = double(weights.box[k]) * double(a[(zk * n + yk) * n + xk]);
          sum += product;
          magnitude += std::fabs(product);
        }
    return error_ratio(double(got), sum, magnitude);
  }
};

struct convolved : problem<float> {
  filter_weights filter = study_filter();

  explicit convolved(index_t side) {
    n = side;
    out_size = side * side;
    in.push_back(random_array<float>(1, out_size));
  }
  verdict check(std::span<float const> out) const override {
    constexpr int side = filter_weights::side, radius = filter_weights::radius;
    float const* const a = in[0].data();
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (index_t y = 0; y < n; ++y)
      for (index_t x = 0; x < n; ++x) {
        double sum = 0, magnitude = 0;
        for (index_t j = 0; j < side; ++j)
          for (index_t i = 0; i < side; ++i) {
            index_t const yk = y + radius - j, xk = x + radius - i;
            if (yk < 0 || yk >= n || xk < 0 || xk >= n) continue;
            double const product = double(filter.weight[j * side + i]) * double(a[yk * n + xk]);
            sum += product;
            magnitude += std::fabs(product);
          }
        worst = std::max(worst, error_ratio(double(out[std::size_t(y * n + x)]), sum, magnitude));
      }
    return {worst, rounding_bound<float>(26)};
  }
};

}  // namespace

filter_weights study_filter() {
  filter_weights f{};
  for (int k = 0; k < filter_weights::side * filter_weights::side; ++k) f.weight[k] = float(k * k % 31 + 1) / 512;
  return f;
}
problem_ptr convolution_problem(index_t side) { return std::make_shared<convolved>(side); }

near_weights near_weights_of(int rank, bool star) {
  float const by_distance[] = {0.5f, 0.125f, star ? 0.0f : 0.0625f, star ? 0.0f : 0.03125f};
  near_weights w{};
  // Nested, as g++ 12 with -O3 -march=znver3 makes wrong code of one loop over 27 that computes z, y and x.
  int k = 0;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x, ++k) w.box[k] = rank == 3 || z == 0 ? by_distance[z * z + y * y + x * x] : 0.0f;
  return w;
}

template <int Rank, bool Star>
problem_ptr near_problem(index_t side) {
  return std::make_shared<near_neighbours>(side, Rank, Star);
}
template problem_ptr near_problem<2, true>(index_t);
template problem_ptr near_problem<2, false>(index_t);
template problem_ptr near_problem<3, true>(index_t);
template problem_ptr near_problem<3, false>(index_t);

}  // namespace study
