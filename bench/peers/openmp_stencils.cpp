// Stencils and convolutions by hand for the CPU.
#include "peers.hpp"

namespace study::peers {

using stream = dolmen::cpu::stream;

void near_stencil(stream const&, float const* in, float* out, index_t planes, index_t side, near_weights const& weights) {
  auto const general = [&](index_t z, index_t y, index_t x) {
    float sum = 0;
    for (index_t k = 0; k < 27; ++k) {
      index_t const zk = z + k / 9 - 1, yk = y + k / 3 % 3 - 1, xk = x + k % 3 - 1;
      bool const inside = zk >= 0 && zk < planes && yk >= 0 && yk < side && xk >= 0 && xk < side;
      if (inside && weights.box[k] != 0) sum += weights.box[k] * in[(zk * side + yk) * side + xk];
    }
    out[(z * side + y) * side + x] = sum;
  };
#pragma omp parallel for
  for (index_t row = 0; row < planes * side; ++row) {
    index_t const z = row / side, y = row % side;
    if (y == 0 || y == side - 1 || (planes > 1 && (z == 0 || z == planes - 1))) {
      for (index_t x = 0; x < side; ++x) general(z, y, x);
      continue;
    }
    general(z, y, 0);
    if (side > 1) general(z, y, side - 1);
    // Row by row of the neighbours that have weights.
    float* const to = out + row * side;
    bool first = true;
    for (index_t k = 0; k < 9; ++k) {
      float const* const w = weights.box + 3 * k;
      float const left = w[0], middle = w[1], right = w[2];
      if (left == 0 && middle == 0 && right == 0) continue;
      float const* const from = in + (row + (k / 3 - 1) * side + k % 3 - 1) * side;
      if (first) {  // NOLINT(bugprone-branch-clone): one sets, the other adds
#pragma omp simd
        for (index_t x = 1; x < side - 1; ++x) to[x] = left * from[x - 1] + middle * from[x] + right * from[x + 1];
      } else {
#pragma omp simd
        for (index_t x = 1; x < side - 1; ++x) to[x] += left * from[x - 1] + middle * from[x] + right * from[x + 1];
      }
      first = false;
    }
  }
}

/// Row by row of the filter; elements near the edge one by one.
void convolution(stream const&, float const* in, float* out, index_t side, filter_weights const& filter) {
  constexpr index_t taps = filter_weights::side, radius = filter_weights::radius;
  auto const general = [&](index_t y, index_t x) {
    float sum = 0;
    for (index_t j = 0; j < taps; ++j)
      for (index_t i = 0; i < taps; ++i) {
        index_t const yk = y + radius - j, xk = x + radius - i;
        if (yk >= 0 && yk < side && xk >= 0 && xk < side) sum += filter.weight[j * taps + i] * in[yk * side + xk];
      }
    out[y * side + x] = sum;
  };
#pragma omp parallel for
  for (index_t y = 0; y < side; ++y) {
    index_t const first = y < radius || y >= side - radius ? side : dolmen::min(radius, side), last = dolmen::max(first, side - radius);
    for (index_t x = 0; x < first; ++x) general(y, x);
    for (index_t x = last; x < side; ++x) general(y, x);
    float* const to = out + y * side;
    for (index_t j = 0; j < taps && first < last; ++j) {
      float const* const w = filter.weight + j * taps;
      float const* const from = in + (y + radius - j) * side + radius;
      if (j == 0) {  // NOLINT(bugprone-branch-clone): one sets, the other adds
#pragma omp simd
        for (index_t x = first; x < last; ++x)
          to[x] = w[0] * from[x] + w[1] * from[x - 1] + w[2] * from[x - 2] + w[3] * from[x - 3] + w[4] * from[x - 4];
      } else {
#pragma omp simd
        for (index_t x = first; x < last; ++x)
          to[x] += w[0] * from[x] + w[1] * from[x - 1] + w[2] * from[x - 2] + w[3] * from[x - 3] + w[4] * from[x - 4];
      }
    }
  }
}

}  // namespace study::peers
