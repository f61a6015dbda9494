// Reductions by hand for the CPU.
#include <algorithm>

#include "peers.hpp"

namespace study::peers {

using stream = dolmen::cpu::stream;

template <class T, class Sum>
void sum(stream const&, T const* in, Sum* out, index_t n) {
  Sum all = 0;
#pragma omp parallel for simd reduction(+ : all)
  for (index_t i = 0; i < n; ++i) all += Sum(in[i]);
  *out = all;
}
template void sum(stream const&, float const*, float*, index_t);
template void sum(stream const&, double const*, double*, index_t);
template void sum(stream const&, std::int32_t const*, std::int64_t*, index_t);
template void sum(stream const&, std::int8_t const*, std::int64_t*, index_t);
template void sum(stream const&, dolmen::half const*, float*, index_t);

template <class T>
void dot(stream const&, T const* a, T const* b, T* out, index_t n) {
  T all = 0;
#pragma omp parallel for simd reduction(+ : all)
  for (index_t i = 0; i < n; ++i) all += a[i] * b[i];
  *out = all;
}
template void dot(stream const&, float const*, float const*, float*, index_t);
template void dot(stream const&, double const*, double const*, double*, index_t);

// The least first, which vectorises; then its first place.
void argmin(stream const&, float const* in, index_t* out, index_t n) {
  float least = in[0];
#pragma omp parallel for simd reduction(min : least)
  for (index_t i = 0; i < n; ++i) least = in[i] < least ? in[i] : least;
  *out = std::find(in, in + n, least) - in;
}

void row_sums(stream const&, float const* in, float* out, index_t side) {
#pragma omp parallel for
  for (index_t r = 0; r < side; ++r) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (index_t c = 0; c < side; ++c) sum += in[r * side + c];
    out[r] = sum;
  }
}

void column_sums(stream const&, float const* in, float* out, index_t side) {
  constexpr index_t width = 512;
#pragma omp parallel for
  for (index_t c0 = 0; c0 < side; c0 += width) {
    index_t const end = dolmen::min(side, c0 + width);
    for (index_t c = c0; c < end; ++c) out[c] = 0;
    for (index_t r = 0; r < side; ++r) {
#pragma omp simd
      for (index_t c = c0; c < end; ++c) out[c] += in[r * side + c];
    }
  }
}

}  // namespace study::peers
