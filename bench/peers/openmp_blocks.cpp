// The cases of warps, packs, atomics and sparse rows by hand for the CPU.
#include <cstring>

#include "peers.hpp"

namespace study::peers {

using stream = dolmen::cpu::stream;

// Halves become floats once per block of B, which then serves all rows of a block of A.
void wmma_matmul(stream const&, dolmen::half const* a, dolmen::half const* b, float* c, index_t side) {
  constexpr index_t rows = 64, columns = 128, depth = 64;
  index_t const across = dolmen::ceil_div(side, columns);
#pragma omp parallel for schedule(dynamic)
  for (index_t t = 0; t < across * dolmen::ceil_div(side, rows); ++t) {
    index_t const y0 = t / across * rows, x0 = t % across * columns;
    index_t const height = dolmen::min(rows, side - y0), width = dolmen::min(columns, side - x0);
    alignas(64) float right[depth][columns] = {}, sum[rows][columns] = {};
    for (index_t k0 = 0; k0 < side; k0 += depth) {
      index_t const steps = dolmen::min(depth, side - k0);
      for (index_t k = 0; k < steps; ++k) {
#pragma omp simd
        for (index_t x = 0; x < width; ++x) right[k][x] = float(b[(k0 + k) * side + x0 + x]);
      }
      for (index_t y = 0; y < height; ++y)
        for (index_t k = 0; k < steps; ++k) {
          float const left = float(a[(y0 + y) * side + k0 + k]);
#pragma omp simd
          for (index_t x = 0; x < columns; ++x) sum[y][x] += left * right[k][x];
        }
    }
    for (index_t y = 0; y < height; ++y) std::memcpy(c + (y0 + y) * side + x0, sum[y], std::size_t(width) * sizeof(float));
  }
}

void transpose_packs(stream const& s, float const* in, float* out, index_t side) { transpose(s, in, out, side); }
void warp_sum(stream const& s, float const* in, float* out, float*, index_t, std::uint32_t*, index_t n) { sum(s, in, out, n); }

void block_scan(stream const&, float const* in, float* out, index_t n) {
  constexpr index_t run = 1024;
#pragma omp parallel for
  for (index_t first = 0; first < n; first += run) {
    index_t const end = dolmen::min(n, first + run);
    float sum = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (index_t i = first; i < end; ++i) {
      sum += in[i];
#pragma omp scan inclusive(sum)
      out[i] = sum;
    }
  }
}

// Four copies of the bins in turn, so that equal neighbours do not wait for each other's store.
void histogram(stream const&, std::uint8_t const* keys, std::uint32_t* counts, index_t n) {
  constexpr int bins = 256, copies = 4;
  std::memset(counts, 0, bins * sizeof(*counts));
#pragma omp parallel
  {
    std::uint32_t mine[copies][bins] = {};
#pragma omp for schedule(static) nowait
    for (index_t four = 0; four < n / copies; ++four)
      for (int k = 0; k < copies; ++k) ++mine[k][keys[four * copies + k]];
#pragma omp critical
    for (int bin = 0; bin < bins; ++bin)
      for (int k = 0; k < copies; ++k) counts[bin] += mine[k][bin];
  }
  for (index_t i = n / copies * copies; i < n; ++i) ++counts[keys[i]];
}

void spmv(stream const&, std::int32_t const* row_offsets, std::int32_t const* columns, float const* values, float const* x, float* y,
          index_t rows) {
#pragma omp parallel for schedule(dynamic, 256)
  for (index_t row = 0; row < rows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int32_t k = row_offsets[row]; k < row_offsets[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

}  // namespace study::peers
