// Problems whose results are weighted sums of neighbours, zeros beyond the edge.
#include <algorithm>

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

}  // namespace

near_weights near_weights_of(int rank, bool star) {
  float const by_distance[] = {0.5f, 0.125f, star ? 0.0f : 0.0625f, star ? 0.0f : 0.03125f};
  near_weights w{};
  for (int k = 0; k < 27; ++k) {
    int const z = k / 9 - 1, y = k / 3 % 3 - 1, x = k % 3 - 1;
    if (rank == 3 || z == 0) w.box[k] = by_distance[z * z + y * y + x * x];
  }
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
