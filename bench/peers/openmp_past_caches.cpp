#include "past_caches.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace study::peers {

using stream = dolmen::cpu::stream;

namespace {

#if defined(__AVX512F__)
constexpr int bytes = 64;
void store(void* to, __m512i v) { _mm512_stream_si512(static_cast<__m512i*>(to), v); }
using integers = __m512i;
#elif defined(__AVX__)
constexpr int bytes = 32;
void store(void* to, __m256i v) { _mm256_stream_si256(static_cast<__m256i*>(to), v); }
using integers = __m256i;
#elif defined(__SSE2__)
constexpr int bytes = 16;
void store(void* to, __m128i v) { _mm_stream_si128(static_cast<__m128i*>(to), v); }
using integers = __m128i;
#endif

#if defined(__SSE2__)
template <class T>
using vector [[gnu::vector_size(bytes), gnu::may_alias]] = T;

template <class T>
vector<T> load(T const* p) {
  return *reinterpret_cast<vector<T> const*>(p);
}

/// out[i] = value(i), one(i) for what no vector covers. The study's arrays begin at multiples of 256 bytes.
template <class T, class Value, class One>
void stream_out(T* out, index_t n, Value value, One one) {
  constexpr index_t width = bytes / index_t(sizeof(T)), line = 64 / index_t(sizeof(T));
  index_t const parts = dolmen::cpu::workers(), lines = n / line;
#pragma omp parallel for schedule(static)
  for (index_t p = 0; p < parts; ++p) {
    index_t const end = lines * (p + 1) / parts * line;
    for (index_t i = lines * p / parts * line; i < end; i += width) store(out + i, integers(value(i)));
    _mm_sfence();
  }
  for (index_t i = lines * line; i < n; ++i) out[i] = one(i);
}
#else
template <class T>
T load(T const* p) {
  return *p;
}
template <class T, class Value, class One>
void stream_out(T* out, index_t n, Value, One one) {
#pragma omp parallel for simd
  for (index_t i = 0; i < n; ++i) out[i] = one(i);
}
#endif

}  // namespace

void relu_past_caches(stream const&, float const* in, float* out, index_t n) {
  stream_out(
      out, n,
      [&](index_t i) {
        auto const x = load(in + i);
        return x < 0.0f ? decltype(x){} : x;
      },
      [&](index_t i) { return in[i] < 0.0f ? 0.0f : in[i]; });
}

void vector_add_past_caches(stream const&, float const* a, float const* b, float* c, index_t n) {
  stream_out(
      c, n, [&](index_t i) { return load(a + i) + load(b + i); }, [&](index_t i) { return a[i] + b[i]; });
}

void multiply_add_past_caches(stream const&, float const* a, float const* b, float const* c, float* out, index_t n) {
  stream_out(
      out, n, [&](index_t i) { return load(a + i) * load(b + i) + load(c + i); }, [&](index_t i) { return a[i] * b[i] + c[i]; });
}

template <class T>
void triad_past_caches(stream const&, T scalar, T const* a, T const* b, T* c, index_t n) {
  stream_out(
      c, n, [&](index_t i) { return load(a + i) + scalar * load(b + i); }, [&](index_t i) { return a[i] + scalar * b[i]; });
}
template void triad_past_caches(stream const&, float, float const*, float const*, float*, index_t);
template void triad_past_caches(stream const&, double, double const*, double const*, double*, index_t);

template <class T>
void fill_past_caches(stream const&, T* out, T value, index_t n) {
  stream_out(
      out, n, [&](index_t) { return value - decltype(load(out)){}; }, [&](index_t) { return value; });
}
template void fill_past_caches(stream const&, float*, float, index_t);

void copy_past_caches(stream const&, float const* from, float* to, index_t n) {
  stream_out(
      to, n, [&](index_t i) { return load(from + i); }, [&](index_t i) { return from[i]; });
}

}  // namespace study::peers
