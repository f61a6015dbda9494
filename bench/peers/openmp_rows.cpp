// The library's algorithms on matrices by hand for the CPU.
#include <cmath>

#include "peers.hpp"

namespace study::peers {

using stream = dolmen::cpu::stream;

template <class T>
void transpose_elements(stream const&, T const* in, T* out, index_t side) {
  constexpr index_t tile = 32;
#pragma omp parallel for
  for (index_t y0 = 0; y0 < side; y0 += tile)
    for (index_t x0 = 0; x0 < side; x0 += tile)
      for (index_t y = y0; y < dolmen::min(side, y0 + tile); ++y)
        for (index_t x = x0; x < dolmen::min(side, x0 + tile); ++x) out[x * side + y] = in[y * side + x];
}
template void transpose_elements(stream const&, float const*, float*, index_t);
template void transpose_elements(stream const&, double const*, double*, index_t);
template void transpose_elements(stream const&, dolmen::half const*, dolmen::half*, index_t);
template void transpose_elements(stream const&, std::uint8_t const*, std::uint8_t*, index_t);

template <class T>
void softmax(stream const&, T const* in, T* out, index_t rows, index_t width) {
#pragma omp parallel for
  for (index_t r = 0; r < rows; ++r) {
    T const* const x = in + r * width;
    T* const y = out + r * width;
    float most = float(x[0]), sum = 0;
#pragma omp simd reduction(max : most)
    for (index_t i = 0; i < width; ++i) most = float(x[i]) > most ? float(x[i]) : most;
#pragma omp simd reduction(+ : sum)
    for (index_t i = 0; i < width; ++i) sum += std::exp(float(x[i]) - most);
    float const scale = 1 / sum;
#pragma omp simd
    for (index_t i = 0; i < width; ++i) y[i] = T(std::exp(float(x[i]) - most) * scale);
  }
}
template void softmax(stream const&, float const*, float*, index_t, index_t);
template void softmax(stream const&, dolmen::half const*, dolmen::half*, index_t, index_t);

template <class T>
void layer_norm(stream const&, T const* in, T const* gamma, T const* beta, T* out, index_t rows, index_t width, float eps) {
#pragma omp parallel for
  for (index_t r = 0; r < rows; ++r) {
    T const* const x = in + r * width;
    T* const y = out + r * width;
    float sum = 0, squares = 0;
    if (beta) {
#pragma omp simd reduction(+ : sum)
      for (index_t i = 0; i < width; ++i) sum += float(x[i]);
    }
    float const mean = sum / float(width);
#pragma omp simd reduction(+ : squares)
    for (index_t i = 0; i < width; ++i) squares += (float(x[i]) - mean) * (float(x[i]) - mean);
    float const scale = 1 / std::sqrt(squares / float(width) + eps);
#pragma omp simd
    for (index_t i = 0; i < width; ++i) y[i] = T((float(x[i]) - mean) * scale * float(gamma[i]) + (beta ? float(beta[i]) : 0.0f));
  }
}
template void layer_norm(stream const&, float const*, float const*, float const*, float*, index_t, index_t, float);
template void layer_norm(stream const&, dolmen::half const*, dolmen::half const*, dolmen::half const*, dolmen::half*, index_t, index_t,
                         float);

}  // namespace study::peers
