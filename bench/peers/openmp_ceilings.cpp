// The loops that measure the CPU's ceilings. Methods: 0 plain stores, 1 stores that bypass the caches, 2 the C library's
// memcpy and memset.
#include <cstring>

#include "peers.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace study::peers {

using stream = dolmen::cpu::stream;

namespace {

/// body(begin, end) on one piece per thread; pieces begin at multiples of 64 bytes.
template <class Body>
void by_ranges(index_t n, Body body) {
  index_t const parts = dolmen::cpu::workers(), lines = n / 16;
#pragma omp parallel for schedule(static)
  for (index_t p = 0; p < parts; ++p) body(lines * p / parts * 16, p + 1 == parts ? n : lines * (p + 1) / parts * 16);
}

#if defined(__AVX512F__)
using vector = __m512;
inline vector load(float const* p) { return _mm512_load_ps(p); }
inline void store_past_cache(float* p, vector v) { _mm512_stream_ps(p, v); }
#elif defined(__AVX__)
using vector = __m256;
inline vector load(float const* p) { return _mm256_load_ps(p); }
inline void store_past_cache(float* p, vector v) { _mm256_stream_ps(p, v); }
#elif defined(__SSE2__)
using vector = __m128;
inline vector load(float const* p) { return _mm_load_ps(p); }
inline void store_past_cache(float* p, vector v) { _mm_stream_ps(p, v); }
#else
using vector = float;
inline vector load(float const* p) { return *p; }
inline void store_past_cache(float* p, vector v) { *p = v; }
#endif
constexpr index_t width = sizeof(vector) / sizeof(float);

/// out[i] = value(i) for whole vectors; the ceilings' arrays hold a multiple of 4096 bytes.
template <class Value>
void stream_out(float* out, index_t n, Value value) {
  by_ranges(n, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; i += width) store_past_cache(out + i, value(i));
#if defined(__SSE2__)
    _mm_sfence();
#endif
  });
}

}  // namespace

void ceiling_read(stream const&, int, float const* in, float* sink, index_t n) {
  float all = 0;
#pragma omp parallel for simd reduction(+ : all)
  for (index_t i = 0; i < n; ++i) all += in[i];
  *sink = all;
}

void ceiling_write(stream const& s, int method, float* out, index_t n) {
  if (method == 0) return fill(s, out, 0.5f, n);
  if (method == 1) {
    alignas(64) float const half[16] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    vector const value = load(half);
    return stream_out(out, n, [&](index_t) { return value; });
  }
  by_ranges(n, [&](index_t begin, index_t end) { std::memset(out + begin, 0, std::size_t(end - begin) * sizeof(float)); });
}

void ceiling_copy(stream const& s, int method, float const* in, float* out, index_t n) {
  if (method == 1) return stream_out(out, n, [&](index_t i) { return load(in + i); });
  if (method == 2) return copy(s, in, out, n * index_t(sizeof(float)));
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i) out[i] = in[i];
}

void ceiling_triad(stream const& s, int method, float const* a, float const* b, float* out, index_t n) {
  if (method == 1) return stream_out(out, n, [&](index_t i) { return load(a + i) + 3.0f * load(b + i); });
  triad(s, 3.0f, a, b, out, n);
}

}  // namespace study::peers
