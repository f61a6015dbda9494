// The cases by hand for the CPU: plain loops, with the flags that kernels get.
#include <cstdlib>
#include <cstring>

#include "peers.hpp"

namespace study::peers {

using stream = dolmen::cpu::stream;

namespace {

constexpr index_t tile = 32;

/// Parts of `bytes` for memcpy and memset, one per thread.
template <class Part>
void by_parts(index_t bytes, Part part) {
  index_t const parts = dolmen::min<index_t>(dolmen::cpu::workers(), dolmen::ceil_div(bytes, index_t(64 * 1024)));
#pragma omp parallel for schedule(static)
  for (index_t p = 0; p < parts; ++p) part(bytes / parts * p, p + 1 == parts ? bytes : bytes / parts * (p + 1));
}

}  // namespace

void poison(stream const&, void* data, index_t bytes) {
  by_parts(bytes, [&](index_t begin, index_t end) { std::memset(static_cast<char*>(data) + begin, 0xff, std::size_t(end - begin)); });
}

void vector_add(stream const&, float const* a, float const* b, float* c, index_t n) {
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void relu(stream const&, float const* in, float* out, index_t n) {
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i) out[i] = in[i] < 0.0f ? 0.0f : in[i];
}

template <class T>
void axpy(stream const&, T alpha, T const* x, T* y, index_t n) {
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i) y[i] += alpha * x[i];
}
template void axpy(stream const&, float, float const*, float*, index_t);
template void axpy(stream const&, double, double const*, double*, index_t);

template <class T>
void triad(stream const&, T scalar, T const* a, T const* b, T* c, index_t n) {
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i) c[i] = a[i] + scalar * b[i];
}
template void triad(stream const&, float, float const*, float const*, float*, index_t);
template void triad(stream const&, double, double const*, double const*, double*, index_t);

void multiply_add(stream const&, float const* a, float const* b, float const* c, float* out, index_t n) {
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i) out[i] = a[i] * b[i] + c[i];
}

void split_records(stream const&, float const* records, float* arrays, index_t n) {
  constexpr int width = 8;
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i)
    for (int k = 0; k < width; ++k) arrays[k * n + i] = records[width * i + k];
}

void join_records(stream const&, float const* arrays, float* records, index_t n) {
  constexpr int width = 8;
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i)
    for (int k = 0; k < width; ++k) records[width * i + k] = arrays[k * n + i];
}

void block_sum(stream const&, float const* in, float* out, index_t n) {
  constexpr index_t block = 256;
#pragma omp parallel for
  for (index_t b = 0; b < dolmen::ceil_div(n, block); ++b) {
    float sum = 0;
    index_t const end = dolmen::min(n, (b + 1) * block);
#pragma omp simd reduction(+ : sum)
    for (index_t i = b * block; i < end; ++i) sum += in[i];
    out[b] = sum;
  }
}

void transpose(stream const&, float const* in, float* out, index_t side) {
#pragma omp parallel for
  for (index_t y0 = 0; y0 < side; y0 += tile)
    for (index_t x0 = 0; x0 < side; x0 += tile)
      for (index_t y = y0; y < dolmen::min(side, y0 + tile); ++y)
        for (index_t x = x0; x < dolmen::min(side, x0 + tile); ++x) out[x * side + y] = in[y * side + x];
}

void stencil(stream const&, float const* in, float* out, index_t side) {
#pragma omp parallel for
  for (index_t y = 0; y < side; ++y) {
    float const* const row = in + y * side;
    float* const to = out + y * side;
    auto const edge = [&](index_t x) {
      float const left = x > 0 ? row[x - 1] : 0.0f, right = x + 1 < side ? row[x + 1] : 0.0f;
      float const up = y > 0 ? row[x - side] : 0.0f, down = y + 1 < side ? row[x + side] : 0.0f;
      to[x] = 0.25f * (left + right + up + down);
    };
    if (y == 0 || y == side - 1) {
      for (index_t x = 0; x < side; ++x) edge(x);
    } else {
      edge(0);
#pragma omp simd
      for (index_t x = 1; x < side - 1; ++x) to[x] = 0.25f * (row[x - 1] + row[x + 1] + row[x - side] + row[x + side]);
      if (side > 1) edge(side - 1);
    }
  }
}

void matmul_naive(stream const&, float const* a, float const* b, float* c, index_t side) {
#pragma omp parallel for
  for (index_t y = 0; y < side; ++y)
    for (index_t x0 = 0; x0 < side; x0 += tile) {
      index_t const end = dolmen::min(side, x0 + tile);
#pragma omp simd
      for (index_t x = x0; x < end; ++x) {
        float sum = 0;
        for (index_t k = 0; k < side; ++k) sum += a[y * side + k] * b[k * side + x];
        c[y * side + x] = sum;
      }
    }
}

namespace {

/// A tile of the matrix, zeros beyond its edge.
void load_tile(float (&to)[tile][tile], float const* from, index_t y0, index_t x0, index_t side) {
  for (index_t y = 0; y < tile; ++y)
    for (index_t x = 0; x < tile; ++x) to[y][x] = y0 + y < side && x0 + x < side ? from[(y0 + y) * side + x0 + x] : 0.0f;
}

}  // namespace

void matmul_tiled(stream const&, float const* a, float const* b, float* c, index_t side) {
  index_t const tiles = dolmen::ceil_div(side, tile);
#pragma omp parallel for
  for (index_t t = 0; t < tiles * tiles; ++t) {
    index_t const y0 = t / tiles * tile, x0 = t % tiles * tile;
    alignas(64) float left[tile][tile], right[tile][tile], sum[tile][tile] = {};
    for (index_t k0 = 0; k0 < side; k0 += tile) {
      load_tile(left, a, y0, k0, side);
      load_tile(right, b, k0, x0, side);
      for (index_t y = 0; y < tile; ++y)
        for (index_t k = 0; k < tile; ++k) {
#pragma omp simd
          for (index_t x = 0; x < tile; ++x) sum[y][x] += left[y][k] * right[k][x];
        }
    }
    for (index_t y = 0; y < dolmen::min(tile, side - y0); ++y)
      for (index_t x = 0; x < dolmen::min(tile, side - x0); ++x) c[(y0 + y) * side + x0 + x] = sum[y][x];
  }
}

template <class T>
void fill(stream const&, T* out, T value, index_t n) {
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i) out[i] = value;
}
template void fill(stream const&, float*, float, index_t);
template void fill(stream const&, double*, double, index_t);

void copy(stream const&, void const* from, void* to, index_t bytes) {
  by_parts(bytes, [&](index_t begin, index_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<char const*>(from) + begin, std::size_t(end - begin));
  });
}

// Host and device memory are the same here.
void upload(stream const& s, void const* from, void* to, index_t bytes) { copy(s, from, to, bytes); }
void download(stream const& s, void const* from, void* to, index_t bytes) { copy(s, from, to, bytes); }

void allocate_pair(stream const&, int, index_t bytes) {
  void* data = std::malloc(std::size_t(bytes));
  asm volatile("" : "+r"(data) : : "memory");  // the pair must not be optimised away
  std::free(data);
}

void empty_launch(stream const&, index_t n) {
#pragma omp parallel for if (n > 1)
  for (index_t i = 0; i < n; ++i) asm volatile("");
}

}  // namespace study::peers
